/**
 * Inputs: what people typed, from the queue to the turn that took it.
 *
 *   queued ──► sent ──► taken ──► done | interrupted
 *      └────────┴──► cancelled
 *
 * An echo is a fact and beats a cancellation that came before it. [I10]
 */
import { clipStart, headOf } from "../clip.ts";
import type { EventDataByType } from "../event.ts";
import type { InputState, SessionState } from "../state.ts";
import { arrange, type Draft, isOfLiveRun, type Step } from "./draft.ts";

const PREVIEW_UNITS = 200;

const isOpenInput = (input: InputState): boolean =>
  input.phase === "queued" || input.phase === "sent" || input.phase === "taken";

/** In the process's hands: its turn has not ended yet. */
const isInputInFlight = (input: InputState): boolean =>
  input.phase === "sent" || input.phase === "taken";

/** Something is under way in the process: a turn, or an input that will be one. */
export const isInFlight = (state: SessionState): boolean =>
  state.turn !== null || state.inputs.some(isInputInFlight);

function change(draft: Draft, inputId: string, next: Partial<InputState>): void {
  draft.inputs = arrange(
    draft.inputs.map((input) => (input.inputId === inputId ? { ...input, ...next } : input)),
    isOpenInput,
  );
}

/**
 * What waits is not to start by itself after a stop or the end of a run, unless a person has
 * written since the stop: that message is meant to be read. To be called before `stop` is cleared. [S6]
 */
export function holdQueue(draft: Draft): void {
  const { stop } = draft;
  draft.queueHeld =
    stop === null ||
    !draft.inputs.some((input) => input.phase === "queued" && input.queuedSeq > stop.seq);
}

/** A stop of the turn is answered as soon as nothing is under way any more. */
function answerStop(draft: Draft): void {
  if (draft.stop?.scope !== "turn" || isInFlight(draft)) return;
  holdQueue(draft);
  draft.stop = null;
}

const find = (draft: Draft, inputId: string): InputState | undefined =>
  draft.inputs.find((input) => input.inputId === inputId);

export const inputQueued: Step<"input:queued"> = (draft, event) => {
  const { data } = event;
  // Putting the queue in order is no word to the process: a queue that waits goes on waiting. [I12]
  if (data.replaces === undefined) draft.queueHeld = false;
  if (find(draft, data.inputId) !== undefined) return;
  const place = placeOf(draft, data);
  draft.inputs = [
    ...draft.inputs.slice(0, place),
    {
      inputId: data.inputId,
      phase: "queued",
      deliver: data.deliver,
      queuedSeq: event.seq,
      queuedAt: event.at,
      by: event.by,
      preview: clipStart(headOf(data.text), PREVIEW_UNITS),
      attachments: data.contentBlocks.length,
      runId: null,
      turnSeq: null,
      cancelReason: null,
    },
    ...draft.inputs.slice(place),
  ];
};

/** Where a new input stands. An input that is no longer queued gives no place. */
function placeOf(draft: Draft, { replaces, before }: EventDataByType["input:queued"]): number {
  const mark = before === undefined ? replaces : before;
  const place =
    mark === undefined || mark === null
      ? -1
      : draft.inputs.findIndex((input) => input.inputId === mark && input.phase === "queued");
  return place === -1 ? draft.inputs.length : place;
}

export const inputSent: Step<"input:sent"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const input = find(draft, event.data.inputId);
  if (input?.phase !== "queued" && input?.phase !== "cancelled") return;
  change(draft, input.inputId, { phase: "sent", runId: event.runId, cancelReason: null });
};

export const inputTaken: Step<"input:taken"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { inputId, merged } = event.data;
  const input = find(draft, inputId);
  if (input === undefined || input.phase === "taken") return;
  const isClosed = input.phase === "done" || input.phase === "interrupted";
  // An echo without a timestamp of what was taken long ago is a dropped duplicate: no turn follows. [I6]
  if (merged && isClosed) return;
  // The same, of an input only just sent, when it has nothing to be merged into: an earlier life of
  // the process took it already.
  const isAlone =
    draft.turn === null &&
    !draft.inputs.some((other) => isInputInFlight(other) && other.inputId !== inputId);
  if (merged && isAlone) {
    change(draft, inputId, { phase: "done", runId: event.runId });
    answerStop(draft);
    return;
  }
  change(draft, inputId, {
    phase: "taken",
    runId: event.runId,
    turnSeq: draft.turn?.startSeq ?? null,
    cancelReason: null,
  });
  if (draft.turn !== null)
    draft.turn = { ...draft.turn, inputIds: [...draft.turn.inputIds, inputId] };
};

export const inputCancelled: Step<"input:cancelled"> = (draft, event) => {
  const input = find(draft, event.data.inputId);
  if (input?.phase !== "queued" && input?.phase !== "sent") return;
  change(draft, input.inputId, { phase: "cancelled", cancelReason: event.data.reason });
  answerStop(draft);
};

/** Inputs echoed before their turn began belong to it. */
export function adoptTaken(draft: Draft, turnSeq: number): readonly string[] {
  const waiting = draft.inputs.filter((input) => input.phase === "taken");
  if (waiting.length === 0) return [];
  draft.inputs = draft.inputs.map((input) =>
    input.phase === "taken" ? { ...input, turnSeq } : input,
  );
  return waiting.map((input) => input.inputId);
}

/**
 * The turn is over: what it took is done. A turn that took nothing it was asked (a local command,
 * a process that does not echo) answers the oldest input sent, unless it started by itself. [I5]
 * Says whether any input was settled.
 */
export function settleInputs(
  draft: Draft,
  end: { interrupted: boolean; ownOrigin: boolean },
): boolean {
  if (!draft.inputs.some(isInputInFlight)) return false;
  const phase = end.interrupted ? "interrupted" : "done";
  const isTaken = draft.inputs.some((input) => input.phase === "taken");
  const oldest =
    isTaken || end.ownOrigin ? undefined : draft.inputs.find((input) => input.phase === "sent");
  if (!isTaken && oldest === undefined) return false;
  const turnSeq = draft.turn?.startSeq ?? null;
  draft.inputs = arrange(
    draft.inputs.map((input) =>
      input.phase === "taken" || input === oldest ? { ...input, phase, turnSeq } : input,
    ),
    isOpenInput,
  );
  return true;
}

/** The process is gone with what it held; what it never got stays in the queue. [I7] */
export function dropInputs(draft: Draft): void {
  if (!draft.inputs.some(isInputInFlight)) return;
  draft.inputs = arrange(
    draft.inputs.map((input): InputState => {
      if (input.phase === "sent") return { ...input, phase: "cancelled", cancelReason: "lost" };
      if (input.phase === "taken") return { ...input, phase: "interrupted" };
      return input;
    }),
    isOpenInput,
  );
}
