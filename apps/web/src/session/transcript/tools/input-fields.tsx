/** Any input as a person reads it: each field by its name, strings as they are, the rest as JSON. */
import { For, Show } from "solid-js";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { OutputText } from "../text/output-text.tsx";
import { textOf, type Fields } from "./fields.ts";

export function InputFields(props: { readonly fields: Fields; readonly foldKey: string }) {
  const entries = () => Object.entries(props.fields);
  return (
    <Show when={entries().length > 0}>
      <dl class="fields">
        <For each={entries()}>
          {([name, value]) => (
            <div class="field-pair" data-short={isShort(value) ? "" : undefined}>
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <Show
                  when={isShort(value)}
                  fallback={
                    <OutputText
                      text={textOf(value) ?? JSON.stringify(value, null, 2)}
                      foldKey={`${props.foldKey}.${name}`}
                      render={(text) => <VisibleText text={text} />}
                    />
                  }
                >
                  <code>
                    <VisibleText text={typeof value === "string" ? value : JSON.stringify(value)} />
                  </code>
                </Show>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </Show>
  );
}

const SHORT_UNITS = 80;
const isShort = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length <= SHORT_UNITS && !value.includes("\n")
    : typeof value !== "object" || value === null || JSON.stringify(value).length <= SHORT_UNITS;
