/**
 * Which queued input the process should get now. Lodge holds the queue: the head goes when the turn
 * is over, a steering input goes at once. [I4]
 */
import type { InputState, SessionState } from "@lodge/protocol";

export function nextInput(state: SessionState): InputState | null {
  const { run } = state;
  if (!run?.alive || !run.ready || state.stop) return null;
  const queued = state.inputs.filter((input) => input.phase === "queued");
  const busy = isTurnUnderWay(state);
  const head = queued[0];
  if (!head) return null;
  if (!busy) return state.queueHeld ? null : head;
  return queued.find((input) => input.deliver === "steer") ?? null;
}

/** A turn is open, or an input is on its way to one. */
export function isTurnUnderWay(state: SessionState): boolean {
  return (
    state.turn !== null ||
    state.inputs.some((input) => input.phase === "sent" || input.phase === "taken")
  );
}

export const hasQueued = (state: SessionState): boolean =>
  state.inputs.some((input) => input.phase === "queued");
