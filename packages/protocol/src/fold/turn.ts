/**
 * Turns: from the CLI's `init` to its `result`, and what is said in between. Some begin by
 * themselves (a finished background task, a wakeup); some results come without an init (local
 * commands, a refused resume). At most one turn is open.
 */
import type { EventOfType } from "../event.ts";
import { headOf } from "../clip.ts";
import { adoptTaken, holdQueue, isInFlight, settleInputs } from "./inputs.ts";
import { type Draft, isOfLiveRun, type Step } from "./draft.ts";
import { noteResumeId } from "./run.ts";
import { backgroundByResult, endForegroundTasks } from "./tasks.ts";
import { closeTools, endTurnTools, fireWakeup, openTool } from "./tools.ts";
import { countTurn, measureContext } from "./usage.ts";

export const stopRequested: Step<"stop:requested"> = (draft, event) => {
  if (draft.run?.alive !== true) return;
  const { scope, reason } = event.data;
  if (scope === "turn") {
    if (draft.stop?.scope === "run") return;
    // Nothing is under way: what waits in the queue is not to start either. [S6]
    if (!isInFlight(draft)) {
      draft.queueHeld = true;
      return;
    }
    if (draft.turn !== null) draft.turn = { ...draft.turn, interrupted: true };
  }
  draft.stop = { scope, at: event.at, seq: event.seq, reason: reason ?? null };
};

export const turnStart: Step<"turn:start"> = (draft, event) => {
  if (!isOfLiveRun(draft, event) || draft.run === null) return;
  const { data } = event;
  draft.turn = {
    startedAt: event.at,
    startSeq: event.seq,
    model: data.model,
    inputIds: adoptTaken(draft, event.seq),
    compacted: false,
    interrupted: false,
  };
  draft.lastBlock = null;
  if (!draft.run.ready || !draft.run.initSeen)
    draft.run = { ...draft.run, ready: true, initSeen: true };
  noteResumeId(draft, data.resumeId);
  if (data.permissionMode !== null && data.permissionMode !== draft.config.permissionMode)
    draft.config = { ...draft.config, permissionMode: data.permissionMode };
};

export const content: Step<"content"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { data } = event;
  if (draft.limit !== null) draft.limit = null;
  for (const block of data.blocks) {
    if (block.type === "tool_use") openTool(draft, block, event);
    const kind =
      block.type === "text" || block.type === "thinking" || block.type === "tool_use"
        ? block.type
        : null;
    if (kind !== null && data.parentToolUseId === null) draft.lastBlock = kind;
  }
  measureContext(draft, event);
  // The word for what went wrong stands here; the turn's end only says that something did.
  if (data.error !== undefined && data.parentToolUseId === null)
    draft.lastError = { at: event.at, seq: event.seq, code: data.error, message: firstText(event) };
};

function firstText({ data }: EventOfType<"content">): string {
  for (const block of data.blocks) if (block.type === "text") return headOf(block.text);
  return data.error ?? "";
}

export const result: Step<"result"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  closeTools(draft, event);
  backgroundByResult(draft, event);
};

export const turnEnd: Step<"turn:end"> = (draft, event) => {
  if (!isOfLiveRun(draft, event) || draft.run === null) return;
  const { data } = event;
  const interrupted =
    draft.stop !== null ||
    draft.turn?.interrupted === true ||
    data.terminalReason?.startsWith("aborted") === true;
  const ownOrigin = data.origin !== null;
  // An error before any turn began (a refused resume): what was asked for was not done either.
  const isRefused = draft.turn === null && data.isError;
  const isAnswer = settleInputs(draft, { interrupted: interrupted || isRefused, ownOrigin });
  if (!isAnswer && !ownOrigin && draft.turn !== null) fireWakeup(draft);
  countTurn(draft, event);
  noteOutcome(draft, event, interrupted);
  if (!isRefused) {
    draft.run = { ...draft.run, turns: draft.run.turns + 1 };
    draft.failedStarts = 0;
  }
  endForegroundTasks(draft);
  endTurnTools(draft);
  draft.turn = null;
  draft.turnCount += 1;
  draft.limit = null;
  draft.compacting = false;
  draft.lastBlock = null;
  if (draft.stop?.scope === "turn") {
    holdQueue(draft);
    draft.stop = null;
  }
};

/** The CLI's notes to its own makers. */
const isDiagnostic = (text: string): boolean => text.startsWith("[ede_diagnostic]");

function noteOutcome(draft: Draft, event: EventOfType<"turn:end">, interrupted: boolean): void {
  const { data } = event;
  if (!data.isError) {
    draft.lastError = null;
    return;
  }
  if (interrupted) return;
  const sinceSeq = draft.turn?.startSeq ?? draft.run?.startSeq ?? 0;
  if (draft.lastError !== null && draft.lastError.seq > sinceSeq) return;
  const said = data.errors.filter((text) => !isDiagnostic(text)).join("\n");
  const code = data.subtype !== "success" ? data.subtype : (data.terminalReason ?? "api_error");
  draft.lastError = {
    at: event.at,
    seq: event.seq,
    code: data.apiErrorStatus === null ? code : `api_error_${data.apiErrorStatus}`,
    message:
      said || (data.result === null ? "" : headOf(data.result)) || "The turn ended with an error.",
  };
}
