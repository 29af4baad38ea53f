/**
 * Values computed from a log, or from the state it folded to. All are one look at the fold's state:
 * a value that needed more would not be shown.
 */
import type { SessionEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { isInFlight } from "./fold/inputs.ts";
import { isRunningInBackground } from "./fold/tasks.ts";
import type {
  Activity,
  PlanOutcome,
  SessionState,
  SessionStatus,
  TaskState,
  UsageState,
  Wakeup,
} from "./state.ts";

/** A log, or what it folded to: every derive function takes either. */
export type Log = SessionState | Iterable<SessionEvent>;

const isLog = (log: Log): log is Iterable<SessionEvent> => Symbol.iterator in log;
export const stateOf = (log: Log): SessionState => (isLog(log) ? fold(log) : log);

/** A process of the session exists, whatever it is doing. */
export const deriveProcessAlive = (log: Log): boolean => stateOf(log).run?.alive ?? false;

export function deriveStatus(log: Log): SessionStatus {
  const state = stateOf(log);
  if (state.run?.alive !== true) return "idle";
  const inFlight = isInFlight(state);
  if (state.stop !== null && (state.stop.scope === "run" || inFlight)) return "stopping";
  if (!state.run.ready) return "starting";
  if (inFlight) return "streaming";
  const isQueued = state.inputs.some((input) => input.phase === "queued");
  return isQueued && !state.queueHeld ? "streaming" : "idle";
}

/** What it is doing, finer than status, for a line of text. */
export function deriveActivity(log: Log): Activity {
  const state = stateOf(log);
  const status = deriveStatus(state);
  if (status === "stopping" || status === "starting") return { kind: status };
  // A background task may ask between turns, too.
  if (state.prompts.length > 0) return { kind: "waiting", prompts: state.prompts.length };
  if (status === "idle") return { kind: "idle" };
  if (state.compacting) return { kind: "compacting" };
  if (state.limit !== null) return { kind: "retrying", limit: state.limit };
  // A subagent's tools say more than the Agent call they run under: the newest one is shown.
  const tool = state.openTools.at(-1);
  if (tool !== undefined)
    return { kind: "tool", name: tool.name, toolUseId: tool.toolUseId, since: tool.startedAt };
  return { kind: state.lastBlock === "text" ? "responding" : "thinking" };
}

export const deriveUsage = (log: Log): UsageState => stateOf(log).usage;

/** Tasks that outlive their turn: those running, after the last few that ended. */
export const deriveBackgroundTasks = (log: Log): readonly TaskState[] =>
  stateOf(log).tasks.filter((task) => task.backgrounded);

export const hasRunningBackgroundTasks = (log: Log): boolean =>
  stateOf(log).tasks.some(isRunningInBackground);

/** The wakeup that was asked for last, if any is open: the session will act without being asked. */
export const deriveScheduledWakeup = (log: Log): Wakeup | null =>
  stateOf(log).wakeups.at(-1) ?? null;

/** Plans put before a person, oldest first, and what became of them. */
export const derivePlanOutcomes = (log: Log): readonly PlanOutcome[] => stateOf(log).plans;
