import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, buildLog, drafts, RUN } from "@lodge/client/testing";
import type { EventDraft, SessionEvent } from "@lodge/protocol";
import type { Row, ToolRow } from "./row.ts";
import { Transcript } from "./transcript.ts";

const call = (id: string, name = "Bash", parentToolUseId: string | null = null): EventDraft => ({
  type: "content",
  source: "cli",
  runId: RUN,
  data: {
    messageId: `m-${id}`,
    blocks: [{ type: "tool_use", id, name, input: { command: "ls" } }],
    usage: null,
    model: "m",
    parentToolUseId,
  },
});
const result = (toolUseId: string, isError = false): EventDraft => ({
  type: "result",
  source: "cli",
  runId: RUN,
  data: {
    blocks: [{ type: "tool_result", toolUseId, content: "ok", isError }],
    parentToolUseId: null,
  },
});
const cancelled = (inputId: string, reason: "withdrawn" | "lost"): EventDraft => ({
  type: "input:cancelled",
  source: "person",
  runId: null,
  data: { inputId, reason },
});
const taken = (inputId: string): EventDraft => ({
  type: "input:taken",
  source: "cli",
  runId: RUN,
  data: { inputId, merged: false },
});
const rowsOf = (log: readonly EventDraft[], from = 1): readonly Row[] => {
  const transcript = new Transcript();
  transcript.take(buildLog(log, from));
  return transcript.rows;
};
const kinds = (rows: readonly Row[]) => rows.map((row) => row.kind);

describe("inputs", () => {
  test("stand where they were handed over, with the text they were queued with", () => {
    const rows = rowsOf([drafts.queued("i1", "hi"), drafts.text("m1", "busy"), drafts.sent("i1")]);
    expect(rows).toMatchObject([{ kind: "text" }, { kind: "input", text: "hi", phase: "sent" }]);
  });

  test("go from sent to taken to done with the turn that took them", () => {
    const log = [drafts.queued("i1"), drafts.sent("i1"), taken("i1"), drafts.turnEnd()];
    expect(rowsOf(log.slice(0, 3))[0]).toMatchObject({ phase: "taken" });
    expect(rowsOf(log)[0]).toMatchObject({ phase: "done" });
  });

  test("that were never handed over are kept, with why", () => {
    const rows = rowsOf([drafts.queued("i1", "hi"), cancelled("i1", "lost")]);
    expect(rows).toMatchObject([
      { kind: "input", text: "hi", phase: "cancelled", cancelReason: "lost" },
    ]);
  });

  test("whose beginning is not loaded say that they have no text here", () => {
    expect(rowsOf([drafts.sent("i1")])[0]).toMatchObject({ kind: "input", text: null });
  });
});

describe("tools", () => {
  test("take their result into their own row", () => {
    expect(rowsOf([call("t1"), result("t1", true)])).toMatchObject([
      { kind: "tool", name: "Bash", result: { isError: true, at: AT + 2000 } },
    ]);
  });

  test("a subagent's doings are inside of its call, however deep", () => {
    const rows = rowsOf([
      call("t1", "Agent"),
      call("t2", "Agent", "t1"),
      call("t3", "Bash", "t2"),
      result("t3"),
    ]);
    expect(rows).toHaveLength(1);
    const inner = (rows[0] as ToolRow).children[0] as ToolRow;
    expect(inner.children[0]).toMatchObject({ toolUseId: "t3", result: { content: "ok" } });
  });

  test("a result whose call is not loaded is shown all the same", () => {
    expect(rowsOf([result("t1")])).toMatchObject([
      { kind: "tool", name: null, result: { content: "ok" } },
    ]);
  });

  test("those without a result when the process is gone never will have one", () => {
    expect(rowsOf([call("t1"), drafts.runEnd()])[0]).toMatchObject({ isAbandoned: true });
  });
});

test("a turn costs what the process counts more than before; not known without its beginning", () => {
  const turn = (costUsd: number): EventDraft => {
    const end = drafts.turnEnd();
    return { ...end, data: { ...end.data, costUsd } } as EventDraft;
  };
  const costs = (log: readonly EventDraft[]) =>
    rowsOf(log).flatMap((row) => (row.kind === "turn" ? [row.costUsd] : []));
  expect(costs([drafts.runStart(), turn(0.5), turn(0.75)])).toEqual([0.5, 0.25]);
  expect(costs([turn(0.5), turn(0.75)])).toEqual([null, 0.25]);
});

describe("limits", () => {
  const limit = (attempt: number): EventDraft => ({
    type: "limit",
    source: "cli",
    runId: RUN,
    data: {
      kind: "retry",
      status: 500,
      error: null,
      attempt,
      maxAttempts: 10,
      endsAt: null,
      delayMs: 500,
    },
  });

  test("told again are one row, with the latest word, until something else comes", () => {
    const rows = rowsOf([limit(1), limit(2), drafts.text("m1", "x"), limit(1)]);
    expect(rows).toMatchObject([
      { kind: "limit", limit: { attempt: 2 }, saidAt: AT + 2000, isOver: true },
      { kind: "text" },
      { kind: "limit", limit: { attempt: 1 }, isOver: false },
    ]);
  });

  test("are over with the turn", () => {
    expect(rowsOf([limit(1), drafts.turnEnd()])[0]).toMatchObject({ isOver: true });
  });
});

describe("tasks", () => {
  const started: EventDraft = {
    type: "task:started",
    source: "cli",
    runId: RUN,
    data: { taskId: "a", taskType: "local_agent", toolUseId: "t1", description: "Look" },
  };
  const progress: EventDraft = {
    type: "task:updated",
    source: "cli",
    runId: RUN,
    data: { taskId: "a", description: "Running ls", toolUses: 2, totalTokens: 900 },
  };
  const ended: EventDraft = {
    type: "task:notification",
    source: "cli",
    runId: RUN,
    data: { taskId: "a", toolUseId: "t1", status: "completed", summary: "Look", outputFile: null },
  };

  test("are told in the row of their call", () => {
    expect(rowsOf([call("t1", "Agent"), started, progress])).toMatchObject([
      { task: { status: "running", doing: "Running ls", toolUses: 2, totalTokens: 900 } },
    ]);
  });

  test("that end before their call has its result are no news; later they are", () => {
    const log = [call("t1", "Agent"), started, progress];
    expect(kinds(rowsOf([...log, ended, result("t1")]))).toEqual(["tool"]);
    const rows = rowsOf([...log, result("t1"), ended]);
    expect(kinds(rows)).toEqual(["tool", "task"]);
    expect(rows[0]).toMatchObject({ task: { status: "completed", isBackground: true } });
  });
});

test("an event of a type of a later version does no harm", () => {
  const event = { ...(buildLog([drafts.notice("x")])[0] as SessionEvent), type: "later" };
  const transcript = new Transcript();
  expect(transcript.take([event as unknown as SessionEvent])).toEqual([]);
});

test("cut anywhere it comes to the same rows, and names every place that changed", () => {
  const aDraft = fc.constantFrom(
    drafts.queued("i1"),
    drafts.sent("i1"),
    taken("i1"),
    cancelled("i1", "withdrawn"),
    drafts.text("m1", "text"),
    call("t1", "Agent"),
    call("t2", "Bash", "t1"),
    call("t3"),
    result("t1"),
    result("t2"),
    result("t3"),
    drafts.turnEnd(),
    drafts.runStart(),
    drafts.runEnd(),
  );
  fc.assert(
    fc.property(fc.array(aDraft, { maxLength: 40 }), fc.nat({ max: 40 }), (log, cut) => {
      const events = buildLog(log, 2);
      const whole = new Transcript();
      whole.take(events);
      const pieces = new Transcript();
      const shown: Row[] = [];
      for (const part of [events.slice(0, cut), events.slice(cut)]) {
        for (const place of pieces.take(part)) shown[place] = pieces.rows[place] as Row;
      }
      expect(pieces.rows).toEqual(whole.rows);
      expect(shown).toEqual(whole.rows);
      expect(new Set(whole.rows.map((row) => row.key)).size).toBe(whole.rows.length);
    }),
  );
  expect(kinds(rowsOf([drafts.notice("x")]))).toEqual(["notice"]);
});
