import { For, Show } from "solid-js";
import { revealHidden } from "../../../ui/reveal-hidden.ts";

/** What may be drawn as it is although `revealHidden` names it: in prose and output it is no trap. */
const HARMLESS = /^U\+(?:00A0|200D|202F|2009|2003|3000|00AD)$/;
const MAYBE = /[^\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u0360]/;

/**
 * Text in the direction it says it has, with the characters named that hide or turn something. For
 * output and results; what a person is to approve goes through `VisibleText`, which leaves nothing out.
 */
export function RevealedText(props: { readonly text: string }) {
  return (
    <Show when={MAYBE.test(props.text)} fallback={props.text}>
      <For each={revealHidden(props.text)}>
        {(piece) => {
          if (piece.kind === "seen") return piece.text;
          if (HARMLESS.test(piece.name)) return characterOf(piece.name);
          return <mark class="hidden-character">{piece.name}</mark>;
        }}
      </For>
    </Show>
  );
}

const characterOf = (name: string): string =>
  String.fromCodePoint(Number.parseInt(name.slice(2), 16));
