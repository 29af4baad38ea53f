/** Which rows are steps of one piece of work, and what is said of such a piece when it is folded. */
import { classifyTool, type ToolKind } from "@lodge/protocol";
import type { Row, ToolRow } from "./row.ts";

/** What a person reads or answers stands by itself, even though it is a call. */
const STANDS_ALONE: ReadonlySet<ToolKind> = new Set(["plan", "question"]);

export function isStep(row: Row): boolean {
  switch (row.kind) {
    case "tool":
      return row.name === null || !STANDS_ALONE.has(classifyTool(row.name));
    case "thinking":
      return true;
    case "notice":
      return (
        row.level === "info" && (row.noticeKind === "hook" || row.noticeKind === "tool_summary")
      );
    default:
      return false;
  }
}

export type ToolState = "running" | "denied" | "abandoned" | "failed" | "done";

export function toolStateOf(row: ToolRow): ToolState {
  if (row.isDenied) return "denied";
  if (row.result !== null) return row.result.isError ? "failed" : "done";
  return row.isAbandoned ? "abandoned" : "running";
}

export type StepCounts = {
  /** Rows that are calls. */
  readonly calls: number;
  readonly byKind: Readonly<Partial<Record<ToolKind, number>>>;
  readonly failed: number;
  readonly running: number;
};

export const NO_STEPS: StepCounts = { calls: 0, byKind: {}, failed: 0, running: 0 };

/** The counts with one row more (`by` 1) or less (-1). */
export function countStep(counts: StepCounts, row: Row, by: 1 | -1): StepCounts {
  if (row.kind !== "tool") return counts;
  const kind = row.name === null ? "other" : classifyTool(row.name);
  const state = toolStateOf(row);
  const { [kind]: before = 0, ...others } = counts.byKind;
  return {
    calls: counts.calls + by,
    byKind: before + by === 0 ? others : { ...others, [kind]: before + by },
    failed: counts.failed + (state === "failed" || state === "denied" ? by : 0),
    running: counts.running + (state === "running" ? by : 0),
  };
}
