/** Code as it is: coloured once it is complete and seen, copied as it was written. */
import { createEffect, createSignal, For, on, onCleanup, Show } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { highlight, type CodeLine } from "./highlight.ts";
import { languageOf } from "./languages.ts";

/** Characters that turn the order of what is read: in code they are only ever a trap. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export function CodeBlock(props: {
  readonly code: string;
  /** As the fence names it. */
  readonly language: string;
  readonly isGrowing: boolean;
}) {
  const name = () => props.language.trim().split(/[\s,{]/, 1)[0] ?? "";
  return (
    <figure class="code" dir="ltr">
      <figcaption>
        <span class="code-language">{name() === "" ? t("code.plain") : name()}</span>
        <CopyButton text={props.code} />
      </figcaption>
      <pre tabindex="0" aria-label={t("code.label", name())}>
        <code>
          <Coloured code={props.code} language={props.isGrowing ? null : languageOf(name())} />
        </code>
      </pre>
    </figure>
  );
}

/** `language` null: plain. */
export function Coloured(props: { readonly code: string; readonly language: string | null }) {
  const [lines, setLines] = createSignal<readonly CodeLine[] | null>(null);
  createEffect(
    on([() => props.code, () => props.language], ([code, language]) => {
      setLines(null);
      if (language === null || TURNS.test(code)) return;
      let isStale = false;
      onCleanup(() => {
        isStale = true;
      });
      void highlight(code, language).then((found) => {
        if (!isStale) setLines(found);
      });
    }),
  );
  return (
    <Show
      when={lines()}
      fallback={
        <Show when={TURNS.test(props.code)} fallback={props.code}>
          <VisibleText text={props.code} />
        </Show>
      }
    >
      {(found) => (
        <For each={found()}>
          {(line, index) => (
            <>
              {index() > 0 ? "\n" : ""}
              <For each={line}>
                {([text, kind]) =>
                  kind === "" ? text : <span class={`code-${kind}`}>{text}</span>
                }
              </For>
            </>
          )}
        </For>
      )}
    </Show>
  );
}
