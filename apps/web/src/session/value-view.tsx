/** Any JSON as a person reads it: each field by its name, strings as they are, the rest as JSON. */
import { For, Show } from "solid-js";
import { isBlobRef, type Text } from "@lodge/protocol";
import { LongText } from "./long-text.tsx";

export function ValueView(props: { readonly value: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      <For each={Object.entries(props.value)}>
        {([name, value]) => (
          <div class="field-pair">
            <dt>{name}</dt>
            <dd>
              <Show
                when={asText(value)}
                fallback={<pre dir="auto">{JSON.stringify(value, null, 2)}</pre>}
              >
                {(text) => (
                  <pre dir="auto">
                    <LongText text={text()} />
                  </pre>
                )}
              </Show>
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}

/** Wrapped, because an empty string is a value too. */
const asText = (value: unknown): Text | null =>
  isBlobRef(value) || (typeof value === "string" && value !== "") ? value : null;
