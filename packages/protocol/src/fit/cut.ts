/**
 * The last resort, for events that no honest line becomes: strings that must be strings are cut,
 * then lists. The raw line still has everything.
 */
import { clipStart } from "../clip.ts";
import { isBlobRef } from "./blob.ts";

export type Keep = { readonly units: number; readonly items: number };

type Holder = Record<string | number, unknown>;

export function cutStrings(value: unknown, keep: Keep): void {
  forEachChild(value, (holder, key) => {
    const child = holder[key];
    if (typeof child === "string") holder[key] = clipStart(child, keep.units);
    else if (!isBlobRef(child)) cutStrings(child, keep);
  });
}

/** Also what is nested too widely: each list and record keeps its first few entries. */
export function cutLists(value: unknown, keep: Keep): void {
  if (isBlobRef(value)) return;
  if (Array.isArray(value)) value.splice(keep.items);
  else if (typeof value === "object" && value !== null)
    for (const key of Object.keys(value).slice(keep.items)) delete (value as Holder)[key];
  forEachChild(value, (holder, key) => cutLists(holder[key], keep));
}

function forEachChild(value: unknown, act: (holder: Holder, key: string | number) => void): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Holder;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(holder)) act(holder, key);
}
