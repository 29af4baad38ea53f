/**
 * The fold: a session's events, one by one, into everything that is shown about it. The same code
 * runs in the api and in every browser.
 *
 * One step costs the same however long the log is: it looks only at open items and at the last few
 * closed ones. A state is plain JSON and is never changed once it was returned.
 */
import type { EventType, SessionEvent } from "./event.ts";
import { configChanged, limit, notice } from "./fold/config.ts";
import { copyState, type Step } from "./fold/draft.ts";
import { inputCancelled, inputQueued, inputSent, inputTaken } from "./fold/inputs.ts";
import { permissionRequested, permissionResolved } from "./fold/prompts.ts";
import { runEnd, runError, runReady, runStart } from "./fold/run.ts";
import { taskNotification, taskStarted, taskUpdated } from "./fold/tasks.ts";
import { content, result, stopRequested, turnEnd, turnStart } from "./fold/turn.ts";
import { NO_USAGE } from "./fold/usage.ts";
import type { SessionState } from "./state.ts";

export const initialState: SessionState = {
  seq: 0,
  at: 0,
  run: null,
  turn: null,
  stop: null,
  configChanges: {},
  queueHeld: false,
  inputs: [],
  prompts: [],
  resolved: [],
  tasks: [],
  openTools: [],
  todos: [],
  plans: [],
  wakeups: [],
  compacting: false,
  lastBlock: null,
  usage: NO_USAGE,
  runCostUsd: 0,
  config: { permissionMode: "default", model: null, effort: null, title: null, trust: false },
  servingModel: null,
  commands: [],
  models: [],
  resumeIds: [],
  limit: null,
  lastError: null,
  turnCount: 0,
  failedStarts: 0,
};

const STEPS: { readonly [T in EventType]: Step<T> } = {
  "run:start": runStart,
  "run:ready": runReady,
  "run:end": runEnd,
  "run:error": runError,
  "stop:requested": stopRequested,
  content,
  result,
  "turn:start": turnStart,
  "turn:end": turnEnd,
  "input:queued": inputQueued,
  "input:sent": inputSent,
  "input:taken": inputTaken,
  "input:cancelled": inputCancelled,
  "task:started": taskStarted,
  "task:updated": taskUpdated,
  "task:notification": taskNotification,
  "permission:requested": permissionRequested,
  "permission:resolved": permissionResolved,
  "config:changed": configChanged,
  limit,
  notice,
};

/** One step of the fold: O(1) in the length of the log. An event already folded (seq ≤ state.seq) changes nothing. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  const draft = copyState(state);
  draft.seq = event.seq;
  draft.at = event.at;
  // A type of a later version passes by: it has its seq and no effect here.
  if (Object.hasOwn(STEPS, event.type)) (STEPS[event.type] as Step<EventType>)(draft, event);
  return draft;
}

export function fold(
  events: Iterable<SessionEvent>,
  from: SessionState = initialState,
): SessionState {
  let state = from;
  for (const event of events) state = applyEvent(state, event);
  return state;
}
