/** Rows of a log as the page shows them, all of them: a test has no window for the virtual list to fill. */
import { For } from "solid-js";
import type { EventDraft } from "@lodge/protocol";
import { buildLog, RUN } from "@lodge/client/testing";
import { renderInRoom } from "../../../testing/render-in-room.tsx";
import { Folds, FoldsContext } from "../folds.ts";
import { RowView } from "../row-view.tsx";
import { ToolBody } from "../tools/tool-body.tsx";
import type { Row, ToolRow } from "../row.ts";
import { Transcript } from "../transcript.ts";

export function rowsOf(log: readonly EventDraft[], from = 1): readonly Row[] {
  const transcript = new Transcript();
  transcript.take(buildLog(log, from));
  return transcript.rows;
}

export function renderRows(log: readonly EventDraft[]) {
  const folds = new Folds();
  const room = renderInRoom(log, () => (
    <FoldsContext.Provider value={folds}>
      <For each={rowsOf(log)}>{(row) => <RowView row={row} />}</For>
    </FoldsContext.Provider>
  ));
  return { ...room, folds };
}

/** The inside of the first call of a log. */
export function renderTool(log: readonly EventDraft[]) {
  const folds = new Folds();
  const row = rowsOf(log).find((found): found is ToolRow => found.kind === "tool");
  if (row === undefined) throw new Error("there is no call in this log");
  const room = renderInRoom(log, () => (
    <FoldsContext.Provider value={folds}>
      <ToolBody row={row} renderRow={(child) => <RowView row={child()} />} />
    </FoldsContext.Provider>
  ));
  return { ...room, folds, text: () => room.host.textContent };
}

export const call = (
  name: string,
  input: Record<string, unknown>,
  id = "t1",
  parentToolUseId: string | null = null,
): EventDraft => ({
  type: "content",
  source: "cli",
  runId: RUN,
  data: {
    messageId: `m-${id}`,
    blocks: [{ type: "tool_use", id, name, input }],
    usage: null,
    model: "m",
    parentToolUseId,
  },
});

export const result = (
  content: string | readonly unknown[],
  options: { id?: string; isError?: boolean; detail?: unknown } = {},
): EventDraft => ({
  type: "result",
  source: "cli",
  runId: RUN,
  data: {
    blocks: [
      {
        type: "tool_result",
        toolUseId: options.id ?? "t1",
        content,
        isError: options.isError ?? false,
      },
    ],
    parentToolUseId: null,
    ...(options.detail === undefined ? {} : { detail: options.detail }),
  },
});
