import { Match, Switch } from "solid-js";
import { CompactedView, CompactSummaryView } from "./compact-view.tsx";
import { InputView } from "./input-view.tsx";
import { LimitView } from "./limit-view.tsx";
import { MarginView } from "./margin-view.tsx";
import { pictureOf, Picture } from "./text/picture.tsx";
import type { NoticeRow, Row } from "./row.ts";
import { TextView } from "./text-view.tsx";
import { ThinkingView } from "./thinking-view.tsx";
import { fieldsOf } from "./tools/fields.ts";
import { ToolView } from "./tools/tool-view.tsx";
import { TurnView } from "./turn-view.tsx";

/** The row as that kind of row, or false: what `Match` hands on. */
function as<K extends Row["kind"]>(row: Row, kind: K): Extract<Row, { kind: K }> | false {
  return row.kind === kind && (row as Extract<Row, { kind: K }>);
}
const asNotice = (row: Row, kind: NoticeRow["noticeKind"]): NoticeRow | false =>
  row.kind === "notice" && row.noticeKind === kind && row;

export function RowView(props: { readonly row: Row }) {
  return (
    <Switch fallback={<MarginView row={props.row} />}>
      <Match when={as(props.row, "input")}>{(row) => <InputView row={row()} />}</Match>
      <Match when={as(props.row, "text")}>{(row) => <TextView row={row()} />}</Match>
      <Match when={as(props.row, "thinking")}>{(row) => <ThinkingView row={row()} />}</Match>
      <Match when={as(props.row, "tool")}>
        {(row) => <ToolView row={row()} renderRow={(child) => <RowView row={child()} />} />}
      </Match>
      <Match when={as(props.row, "turn")}>{(row) => <TurnView row={row()} />}</Match>
      <Match when={as(props.row, "limit")}>{(row) => <LimitView row={row()} />}</Match>
      <Match when={asNotice(props.row, "compacted")}>
        {(row) => <CompactedView row={row()} />}
      </Match>
      <Match when={asNotice(props.row, "compact_summary")}>
        {(row) => <CompactSummaryView row={row()} />}
      </Match>
      <Match when={props.row.kind === "block" && pictureOf(fieldsOf(props.row.block))}>
        {(source) => <Picture source={source()} />}
      </Match>
    </Switch>
  );
}
