/** What Claude says, and what the CLI says in its place. */
import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { previewText } from "../../ui/blob-text.ts";
import { adviseOn } from "./advice.ts";
import type { TextRow } from "./row.ts";
import { Prose } from "./text/prose.tsx";

export function TextView(props: { readonly row: TextRow }) {
  const advice = () =>
    props.row.error === null
      ? null
      : adviseOn({ error: props.row.error, text: previewText(props.row.text) });
  return (
    <div
      class="said"
      data-synthetic={props.row.isSynthetic ? "" : undefined}
      data-error={props.row.error === null ? undefined : ""}
      data-superseded={props.row.isSuperseded ? "" : undefined}
    >
      <Show when={props.row.isSuperseded}>
        <p class="tool-note">{t("transcript.superseded")}</p>
      </Show>
      <Prose text={props.row.text} />
      <Show when={advice()}>
        {(text) => (
          <p class="advice" dir="auto">
            {text()}
          </p>
        )}
      </Show>
    </div>
  );
}
