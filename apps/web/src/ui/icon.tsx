/** The page's signs: strokes on a 20 by 20 grid, always beside or instead of a word that says the same. */
import { For } from "solid-js";

const PATHS = {
  plus: ["M10 4.5v11", "M4.5 10h11"],
  back: ["M12 4.5 6.5 10l5.5 5.5"],
  chevron: ["M6 8l4 4 4-4"],
  check: ["M4.5 10.5 8 14l7.5-8"],
  close: ["M5.5 5.5l9 9", "M14.5 5.5l-9 9"],
  more: ["M4.5 10h.01", "M10 10h.01", "M15.5 10h.01"],
  search: ["M9 14.2A5.2 5.2 0 1 0 9 3.8a5.2 5.2 0 0 0 0 10.4z", "M13 13l3.5 3.5"],
  filter: ["M3.5 5.5h13", "M6 10h8", "M8.5 14.5h3"],
  pencil: ["M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2L4 16z"],
  archive: ["M3.5 5h13v3h-13z", "M4.5 8v7.5h11V8", "M8 11h4"],
  bin: ["M4 6h12", "M8 6V4h4v2", "M5.5 6l.7 10h7.6l.7-10"],
  send: ["M10 16V4.5", "M5 9.5l5-5 5 5"],
  stop: ["M6 6h8v8H6z"],
  steer: ["M4 15V9.5A3.5 3.5 0 0 1 7.5 6H16", "M12.5 2.5 16 6l-3.5 3.5"],
  picture: ["M3.5 4.5h13v11h-13z", "M3.5 13l4-3.5 3 2.5 2.5-2 3.5 3", "M12.8 7.4h.01"],
  up: ["M10 15.5v-11", "M5.5 9 10 4.5 14.5 9"],
  down: ["M10 4.5v11", "M5.5 11l4.5 4.5 4.5-4.5"],
  sun: [
    "M10 13.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z",
    "M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7 6 6M14 14l1.3 1.3M4.7 15.3 6 14M14 6l1.3-1.3",
  ],
  moon: ["M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z"],
  system: ["M3.5 4.5h13v9h-13z", "M7 16.5h6", "M10 13.5v3"],
  keyboard: ["M2.5 5.5h15v9h-15z", "M5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7"],
  leave: ["M8 4H4.5v12H8", "M9 10h7.5", "M13.5 7l3 3-3 3"],
  shield: ["M10 3l5.5 2v4.5c0 3.4-2.3 6-5.5 7.5-3.2-1.5-5.5-4.1-5.5-7.5V5L10 3z"],
  alert: ["M10 3.5 17 16H3l7-12.5z", "M10 8.5v3.5", "M10 14h.01"],
  folder: ["M3 5.5h5l1.5 2H17v8H3z"],
  offline: [
    "M3 3l14 14",
    "M6.5 12a5 5 0 0 1 3-1.4M3.8 9a9 9 0 0 1 3.2-2M10 6a9 9 0 0 1 6.2 3",
    "M10 15.5h.01",
  ],
  power: ["M10 3v6.5", "M6 5.5a6 6 0 1 0 8 0"],
  spark: ["M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z"],
} as const;
export type IconName = keyof typeof PATHS;
export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

const MIRRORED: ReadonlySet<IconName> = new Set(["back", "steer", "leave"]);

export function Icon(props: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 20 20"
      aria-hidden="true"
      data-mirrored={MIRRORED.has(props.name) ? "" : undefined}
    >
      <For each={PATHS[props.name]}>{(path) => <path d={path} />}</For>
    </svg>
  );
}
