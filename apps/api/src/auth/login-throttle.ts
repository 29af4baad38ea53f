/**
 * Slows guessing down without ever locking anybody out: failures of a login cost growing pauses,
 * failures of an address and of everybody together are counted per minute. Pure arithmetic over
 * times given in; kept in memory, since there is one api.
 */
const FREE_FAILURES = 5;
const MAX_PAUSE_MS = 300_000;
const PER_ADDRESS = 20;
const IN_ALL = 100;
const MINUTE_MS = 60_000;
const KEEP_LOGINS = 10_000;

export type LoginThrottle = {
  /** Seconds to wait before another try makes sense; 0: go on. */
  waitSeconds(login: string, address: string, now: number): number;
  failed(login: string, address: string, now: number): void;
  succeeded(login: string): void;
};

type Failures = { readonly count: number; readonly at: number };

export function createLoginThrottle(): LoginThrottle {
  const byLogin = new Map<string, Failures>();
  const byAddress = new Map<string, number[]>();
  let all: number[] = [];
  const recent = (times: readonly number[], now: number): number[] =>
    times.filter((at) => now - at < MINUTE_MS);
  const untilFree = (times: readonly number[], limit: number, now: number): number => {
    const live = recent(times, now);
    const oldest = live[live.length - limit];
    return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
  };
  return {
    waitSeconds(login, address, now) {
      const failures = byLogin.get(login);
      const pause =
        failures && failures.count >= FREE_FAILURES
          ? Math.min(MAX_PAUSE_MS, 1_000 * 2 ** (failures.count - FREE_FAILURES))
          : 0;
      const waitMs = Math.max(
        failures ? failures.at + pause - now : 0,
        untilFree(byAddress.get(address) ?? [], PER_ADDRESS, now),
        untilFree(all, IN_ALL, now),
      );
      return Math.max(0, Math.ceil(waitMs / 1_000));
    },
    failed(login, address, now) {
      const before = byLogin.get(login);
      byLogin.delete(login);
      byLogin.set(login, { count: (before?.count ?? 0) + 1, at: now });
      if (byLogin.size > KEEP_LOGINS) byLogin.delete(byLogin.keys().next().value as string);
      byAddress.set(address, [...recent(byAddress.get(address) ?? [], now), now]);
      for (const [key, times] of byAddress)
        if (recent(times, now).length === 0) byAddress.delete(key);
      all = [...recent(all, now), now];
    },
    succeeded(login) {
      byLogin.delete(login);
    },
  };
}
