/**
 * Runs: one process lifetime each.
 *
 *   run:start ──► starting ──run:ready──► idle | streaming | stopping ──run:end──► idle
 *
 * After run:end nothing of the run is left, and nothing it said later changes anything. [S1]
 */
import type { RunEndReason } from "../event.ts";
import { KEEP_CLOSED } from "../state.ts";
import { appendBounded, type Draft, isOfLiveRun, type Step } from "./draft.ts";
import { dropInputs, holdQueue, isInFlight } from "./inputs.ts";
import { losePrompts } from "./prompts.ts";
import { endAllTasks } from "./tasks.ts";

/** The present id of the CLI's transcript is the last one. */
export function noteResumeId(draft: Draft, resumeId: string): void {
  if (resumeId === "" || draft.resumeIds.at(-1) === resumeId) return;
  draft.resumeIds = appendBounded(
    draft.resumeIds.filter((known) => known !== resumeId),
    resumeId,
    KEEP_CLOSED,
  );
}

export const runStart: Step<"run:start"> = (draft, event) => {
  if (event.runId === null) return;
  if (draft.run?.alive === true) endRun(draft, event.seq);
  const { config } = event.data;
  draft.run = {
    runId: event.runId,
    config,
    alive: true,
    ready: false,
    initSeen: false,
    startedAt: event.at,
    startSeq: event.seq,
    pid: null,
    cwd: config.cwd,
    tools: [],
    mcpServers: [],
    loggedIn: null,
    cliVersion: null,
    turns: 0,
    end: null,
  };
  draft.runCostUsd = 0;
  draft.configChanges = {};
  draft.config = {
    ...draft.config,
    permissionMode: config.permissionMode,
    model: config.model,
    effort: config.effort,
    trust: config.trust,
  };
};

export const runReady: Step<"run:ready"> = (draft, event) => {
  if (!isOfLiveRun(draft, event) || draft.run === null) return;
  const { data } = event;
  const known = draft.run;
  draft.run = {
    ...known,
    ready: true,
    initSeen: known.initSeen || data.complete,
    pid: data.pid ?? known.pid,
    cwd: data.cwd ?? known.cwd,
    tools: data.complete ? data.tools : known.tools,
    mcpServers: data.complete ? data.mcpServers : known.mcpServers,
    loggedIn: data.loggedIn ?? known.loggedIn,
    cliVersion: data.cliVersion ?? known.cliVersion,
  };
  // `initialize` describes the commands; `init` only names them.
  if (data.commands.length > 0 && (!data.complete || draft.commands.length === 0))
    draft.commands = data.commands;
  if (data.models.length > 0) draft.models = data.models;
  if (data.permissionMode !== null && data.permissionMode !== draft.config.permissionMode)
    draft.config = { ...draft.config, permissionMode: data.permissionMode };
  // Before the first `init` there is no transcript of that id: `--resume` would not find it. [E9]
  if (data.complete) noteResumeId(draft, data.resumeId);
};

/** Ends that a person should hear about even when no turn was open. */
const IS_BAD_END: Record<RunEndReason, boolean> = {
  completed: false,
  stopped: false,
  interrupted: false,
  idle_timeout: false,
  error: true,
  process_exit: false,
  server_restart: false,
  runner_lost: true,
};
const END_TEXT: Record<RunEndReason, string> = {
  completed: "The process ended.",
  stopped: "The run was stopped.",
  interrupted: "The run was interrupted.",
  idle_timeout: "The process was ended because nothing happened for a while.",
  error: "The process failed.",
  process_exit: "The process ended by itself.",
  server_restart: "The process went down with its host.",
  runner_lost: "The runner that held the process was lost.",
};

export const runEnd: Step<"run:end"> = (draft, event) => {
  if (!isOfLiveRun(draft, event) || draft.run === null) return;
  const { data } = event;
  const run = draft.run;
  const isOwnEnd = data.reason === "process_exit" || data.reason === "error";
  const hasFailed =
    (data.code !== null && data.code !== 0) || data.signal !== null || draft.turn !== null;
  // Going down with the host is nobody's failure, unless something was under way.
  const wasCutOff = data.reason === "server_restart" && isInFlight(draft);
  if (IS_BAD_END[data.reason] || wasCutOff || (isOwnEnd && hasFailed)) {
    // A start that failed has usually said why just before.
    const isExplained =
      run.turns === 0 && draft.lastError !== null && draft.lastError.seq > run.startSeq;
    if (!isExplained)
      draft.lastError = {
        at: event.at,
        seq: event.seq,
        code: data.reason,
        message: data.message ?? END_TEXT[data.reason],
      };
  }
  if (isOwnEnd && run.turns === 0) draft.failedStarts += 1;
  endRun(draft, event.seq);
  draft.run = {
    ...run,
    alive: false,
    ready: false,
    end: {
      at: event.at,
      reason: data.reason,
      code: data.code,
      signal: data.signal,
      message: data.message ?? null,
    },
  };
};

/** Everything that lived in the process. */
function endRun(draft: Draft, seq: number): void {
  dropInputs(draft);
  losePrompts(draft, seq);
  endAllTasks(draft);
  draft.turn = null;
  holdQueue(draft);
  draft.stop = null;
  draft.openTools = [];
  draft.wakeups = [];
  draft.compacting = false;
  draft.limit = null;
  draft.lastBlock = null;
}

export const runError: Step<"run:error"> = (draft, event) => {
  draft.lastError = {
    at: event.at,
    seq: event.seq,
    code: event.data.code,
    message: event.data.message,
  };
};
