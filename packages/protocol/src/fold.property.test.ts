import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveActivity, deriveStatus } from "./derive.ts";
import type { SessionEvent } from "./event.ts";
import { applyEvent, fold, initialState } from "./fold.ts";
import { KEEP_CLOSED, type SessionState } from "./state.ts";
import { summarise } from "./summary.ts";
import { arbitraryLog } from "./testing/arbitrary-log.ts";
import { numbered } from "./testing/build-event.ts";
import { cassetteNames, loadCassette } from "./testing/load-cassette.ts";
import { replayCassette } from "./testing/replay-cassette.ts";

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const recorded: readonly (readonly [string, readonly SessionEvent[]])[] = cassetteNames().map(
  (name) => [name, replayCassette(loadCassette(name)).events] as const,
);

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

describe("the fold of any log", () => {
  it("[E2] cut anywhere, the parts fold to what the whole folds to", () => {
    fc.assert(
      fc.property(arbitraryLog(), fc.nat(), (log, at) => {
        const cut = log.length === 0 ? 0 : at % (log.length + 1);
        expect(fold(log.slice(cut), fold(log.slice(0, cut)))).toEqual(fold(log));
      }),
      { numRuns: 500 },
    );
  });

  it("[E2] also when the first part's state was stored as JSON in between", () => {
    fc.assert(
      fc.property(arbitraryLog(), fc.nat(), (log, at) => {
        const cut = log.length === 0 ? 0 : at % (log.length + 1);
        expect(fold(log.slice(cut), json(fold(log.slice(0, cut))))).toEqual(fold(log));
      }),
      { numRuns: 300 },
    );
  });

  it("[E3] events that were folded change nothing when they come again", () => {
    fc.assert(
      fc.property(arbitraryLog(), (log) => {
        const state = fold(log);
        for (const event of log) expect(applyEvent(state, event)).toBe(state);
      }),
    );
  });

  it("[E5] a state is plain JSON, and is never changed once it was returned", () => {
    fc.assert(
      fc.property(arbitraryLog(), (log) => {
        let state: SessionState = deepFreeze(initialState);
        for (const event of log) state = deepFreeze(applyEvent(state, deepFreeze(event)));
        expect(json(state)).toEqual(state);
      }),
    );
  });

  it("[S1] is idle with nothing left open once the newest run has ended", () => {
    fc.assert(
      fc.property(arbitraryLog(), (log) => {
        const state = fold(log);
        if (state.run?.alive !== false) return;
        expect(deriveStatus(state)).toBe("idle");
        expect(deriveActivity(state)).toEqual({ kind: "idle" });
        expect([state.turn, state.stop, state.prompts, state.openTools]).toEqual([
          null,
          null,
          [],
          [],
        ]);
        expect(
          state.inputs.filter((input) => input.phase === "sent" || input.phase === "taken"),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("[S4] never says streaming without anything under way, nor idle with a turn", () => {
    fc.assert(
      fc.property(arbitraryLog(), (log) => {
        const state = fold(log);
        const status = deriveStatus(state);
        const waits = state.inputs.some((input) =>
          ["queued", "sent", "taken"].includes(input.phase),
        );
        const isLie =
          (status === "idle" && state.turn !== null) ||
          (status === "streaming" && state.turn === null && !waits);
        expect(isLie).toBe(false);
        expect(() => summarise(state)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it("[E6] the state keeps a bounded number of closed items, however long the log", () => {
    const cycle = recorded.flatMap(([, events]) => events);
    const long = numbered(Array.from({ length: 10 }, () => cycle).flat());
    const state = fold(long);
    expect(long.length).toBeGreaterThan(5_000);
    expect(state.inputs.length).toBeLessThanOrEqual(KEEP_CLOSED);
    expect(state.resolved.length).toBeLessThanOrEqual(KEEP_CLOSED);
    expect(state.tasks.length).toBeLessThanOrEqual(KEEP_CLOSED);
    expect(state.resumeIds.length).toBeLessThanOrEqual(KEEP_CLOSED);
    expect(JSON.stringify(state).length).toBeLessThan(32 * 1024);
  });
});

describe("the fold of recorded logs", () => {
  it.each(recorded)(
    "[E2] %s: cut anywhere, the parts fold to what the whole folds to",
    (_name, log) => {
      const whole = fold(log);
      // Every cut of a short log, fifty of a long one.
      const step = Math.ceil(log.length / 50);
      let state = initialState;
      for (const [index, event] of log.entries()) {
        const isCut = index % step === 0;
        expect(isCut ? fold(log.slice(index), json(state)) : whole).toEqual(whole);
        state = applyEvent(state, event);
      }
    },
  );
});
