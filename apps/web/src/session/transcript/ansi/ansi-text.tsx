import { createMemo, For, Show } from "solid-js";
import { hasAnsi, parseAnsi, type AnsiStyle } from "./parse-ansi.ts";
import { RevealedText } from "../text/revealed-text.tsx";

/** Output of a program as its terminal would show it, in the page's own colours. */
export function AnsiText(props: { readonly text: string }) {
  const pieces = createMemo(() => parseAnsi(props.text));
  return (
    <Show when={hasAnsi(props.text)} fallback={<RevealedText text={props.text} />}>
      <For each={pieces()}>
        {({ text, style }) => (
          <Show when={classesOf(style)} fallback={<RevealedText text={text} />}>
            {(classes) => (
              <span class={classes()}>
                <RevealedText text={text} />
              </span>
            )}
          </Show>
        )}
      </For>
    </Show>
  );
}

function classesOf(style: AnsiStyle): string {
  const [fore, back] = style.isInverse
    ? [style.background, style.foreground]
    : [style.foreground, style.background];
  return [
    fore === null ? "" : `ansi-${fore % 8}`,
    back === null ? (style.isInverse ? "ansi-inverse" : "") : `ansi-on-${back % 8}`,
    style.isBold || (style.foreground ?? 0) > 7 ? "ansi-bold" : "",
    style.isFaint ? "ansi-faint" : "",
    style.isItalic ? "ansi-italic" : "",
    style.isUnderlined ? "ansi-underlined" : "",
    style.isStruck ? "ansi-struck" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}
