/** How long to wait before the n-th attempt in a row (from 1): doubling, capped, with jitter. */
export type BackOff = { readonly firstMs: number; readonly capMs: number };

/**
 * Half of the delay is fixed and half is drawn, so that a thousand browsers that lost the same
 * server do not come back in one moment, and none comes back at once.
 */
export function backOffMs(backOff: BackOff, attempt: number, random: number): number {
  const full = Math.min(backOff.capMs, backOff.firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full / 2 + (full / 2) * random);
}
