import { For } from "solid-js";
import { revealHidden } from "./reveal-hidden.ts";

/** Text exactly as it is: hidden characters by their names, direction left to right whatever it says. */
export function VisibleText(props: { readonly text: string }) {
  return (
    <bdo dir="ltr" class="visible-text">
      <For each={revealHidden(props.text)}>
        {(piece) =>
          piece.kind === "seen" ? piece.text : <mark class="hidden-character">{piece.name}</mark>
        }
      </For>
    </bdo>
  );
}
