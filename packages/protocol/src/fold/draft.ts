/**
 * What the steps of the fold work on: one shallow copy of the state per event. Steps replace its
 * fields and never change what a field holds: every state ever handed out stays as it was.
 */
import type { EventOfType, EventType } from "../event.ts";
import type { SessionState } from "../state.ts";
import { KEEP_CLOSED } from "../state.ts";

export type Draft = { -readonly [K in keyof SessionState]: SessionState[K] };
export type Step<T extends EventType> = (draft: Draft, event: EventOfType<T>) => void;

/** Closed items first, the last KEEP_CLOSED of them, in the order they closed; then the open ones in theirs. */
export function arrange<T>(items: readonly T[], isOpen: (item: T) => boolean): readonly T[] {
  const open: T[] = [];
  const closed: T[] = [];
  for (const item of items) (isOpen(item) ? open : closed).push(item);
  return closed.length > KEEP_CLOSED
    ? [...closed.slice(-KEEP_CLOSED), ...open]
    : [...closed, ...open];
}

/** The list with one more item, without the first ones beyond `limit`. */
export function appendBounded<T>(items: readonly T[], item: T, limit: number): readonly T[] {
  const next = [...items, item];
  return next.length > limit ? next.slice(next.length - limit) : next;
}

/** The event belongs to the run that is alive. Words of any other run are kept, but change nothing. */
export const isOfLiveRun = (draft: Draft, event: { readonly runId: string | null }): boolean =>
  draft.run !== null && draft.run.alive && draft.run.runId === event.runId;

/**
 * A shallow copy, field by field: V8 copies an object of this many fields by spread in 0.75 µs, by a
 * literal in 0.03 µs. The compiler misses no field.
 */
export const copyState = (state: SessionState): Draft => ({
  seq: state.seq,
  at: state.at,
  run: state.run,
  turn: state.turn,
  stop: state.stop,
  configChanges: state.configChanges,
  queueHeld: state.queueHeld,
  inputs: state.inputs,
  prompts: state.prompts,
  resolved: state.resolved,
  tasks: state.tasks,
  openTools: state.openTools,
  todos: state.todos,
  plans: state.plans,
  wakeups: state.wakeups,
  compacting: state.compacting,
  lastBlock: state.lastBlock,
  usage: state.usage,
  runCostUsd: state.runCostUsd,
  config: state.config,
  servingModel: state.servingModel,
  commands: state.commands,
  models: state.models,
  resumeIds: state.resumeIds,
  limit: state.limit,
  lastError: state.lastError,
  turnCount: state.turnCount,
  failedStarts: state.failedStarts,
});
