/**
 * What this package needs of the world, handed in as functions, so that a browser, a terminal and a
 * test each bring their own and nothing here reads a clock or draws a random number by itself.
 */
export type Effects = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** ms since the epoch. */
  readonly now: () => number;
  /** 0 ≤ r < 1. */
  readonly random: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  /** Calls back once after `ms`; the result takes it back. */
  readonly setTimer: (callback: () => void, ms: number) => () => void;
  /** false only where the host is sure that there is no network. */
  readonly isOnline: () => boolean;
};

/** Resolves after `ms`, or at once when the signal is aborted: callers look at the signal. */
export function wait(
  effects: Pick<Effects, "setTimer">,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = effects.setTimer(done, ms);
    signal?.addEventListener("abort", done);
  });
}
