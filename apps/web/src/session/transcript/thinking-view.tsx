import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import type { ThinkingRow } from "./row.ts";
import { Fold } from "./text/fold.tsx";
import { Prose } from "./text/prose.tsx";

export function ThinkingView(props: { readonly row: ThinkingRow }) {
  return (
    <Show
      when={props.row.text !== ""}
      fallback={<p class="margin-note">{t("transcript.thought")}</p>}
    >
      <Fold foldKey={props.row.key} class="thinking" label={t("transcript.thinking")}>
        <div class="thinking-text">
          <Prose text={props.row.text} />
        </div>
      </Fold>
    </Show>
  );
}
