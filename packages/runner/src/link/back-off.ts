/**
 * How long to wait before dialling again. Doubles up to a limit, with half of it left to chance, so
 * that runners that lost the same api do not come back in step.
 */
const FIRST_MS = 200;
const LAST_MS = 10_000;

/** `attempt` counts from 0; `random` is in [0, 1). */
export function backOffMs(attempt: number, random: number): number {
  const whole = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(whole / 2 + (whole / 2) * random);
}
