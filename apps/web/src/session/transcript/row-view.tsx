import { Match, Show, Switch } from "solid-js";
import { t } from "../../i18n/t.ts";
import { LongText } from "../long-text.tsx";
import { InputView } from "./input-view.tsx";
import { MarginView } from "./margin-view.tsx";
import type { Row } from "./row.ts";
import { ToolView } from "./tool-view.tsx";
import { TurnView } from "./turn-view.tsx";

/** The row as that kind of row, or false: what `Match` hands on. */
function as<K extends Row["kind"]>(row: Row, kind: K): Extract<Row, { kind: K }> | false {
  return row.kind === kind && (row as Extract<Row, { kind: K }>);
}

export function RowView(props: { readonly row: Row }) {
  return (
    <Switch fallback={<MarginView row={props.row} />}>
      <Match when={as(props.row, "input")}>{(row) => <InputView row={row()} />}</Match>
      <Match when={as(props.row, "text")}>
        {(row) => (
          <div
            class="prose"
            dir="auto"
            data-synthetic={row().isSynthetic ? "" : undefined}
            data-error={row().error === null ? undefined : ""}
            data-superseded={row().isSuperseded ? "" : undefined}
          >
            <LongText text={row().text} />
          </div>
        )}
      </Match>
      <Match when={as(props.row, "thinking")}>
        {(row) => (
          <Show
            when={row().text !== ""}
            fallback={<p class="margin-note">{t("transcript.thought")}</p>}
          >
            <details class="thinking">
              <summary>{t("transcript.thinking")}</summary>
              <div class="prose" dir="auto">
                <LongText text={row().text} />
              </div>
            </details>
          </Show>
        )}
      </Match>
      <Match when={as(props.row, "tool")}>
        {(row) => <ToolView row={row()} renderRow={(child) => <RowView row={child} />} />}
      </Match>
      <Match when={as(props.row, "turn")}>{(row) => <TurnView row={row()} />}</Match>
    </Switch>
  );
}
