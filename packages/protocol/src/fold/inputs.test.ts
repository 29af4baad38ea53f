import { describe, expect, it } from "vitest";
import { deriveStatus } from "../derive.ts";
import type { SessionEvent } from "../event.ts";
import { fold } from "../fold.ts";
import { KEEP_CLOSED, type SessionState } from "../state.ts";
import { buildEvent, numbered } from "../testing/build-event.ts";

const READY = [buildEvent("run:start"), buildEvent("run:ready")];
const queued = (inputId: string, text = "Hi"): SessionEvent =>
  buildEvent("input:queued", { data: { inputId, text } });
const sent = (inputId: string): SessionEvent[] => [
  queued(inputId),
  buildEvent("input:sent", { data: { inputId } }),
];
const taken = (inputId: string, merged = false): SessionEvent =>
  buildEvent("input:taken", { data: { inputId, merged } });
const cancelled = (inputId: string, reason: "withdrawn" | "lost" = "withdrawn"): SessionEvent =>
  buildEvent("input:cancelled", { data: { inputId, reason } });

const log = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered([...READY, ...events]));
const phases = (state: SessionState): Record<string, string> =>
  Object.fromEntries(state.inputs.map((input) => [input.inputId, input.phase]));

describe("an input", () => {
  it("[I2] goes from queued over sent and taken to done, with the turn that took it", () => {
    const state = log(...sent("a"), buildEvent("turn:start"), taken("a"), buildEvent("turn:end"));
    expect(state.inputs).toMatchObject([
      { inputId: "a", phase: "done", turnSeq: 5, runId: buildEvent("run:start").runId },
    ]);
  });

  it("[I1] queued twice is one input", () => {
    expect(log(queued("a", "first"), queued("a", "second")).inputs).toMatchObject([
      { preview: "first" },
    ]);
  });

  it("[I3] shows at most 200 units of its text, never half a character", () => {
    const text = `${"x".repeat(199)}😀`;
    expect(log(queued("a", text)).inputs[0]?.preview).toBe("x".repeat(199));
    const ref = {
      $blob: { id: "h", size: 9, mediaType: "text/plain", head: "the head", tail: "" },
    };
    const state = log(
      buildEvent("input:queued", { data: { inputId: "a", text: ref, contentBlocks: [{}, {}] } }),
    );
    expect(state.inputs).toMatchObject([{ preview: "the head", attachments: 2 }]);
  });

  it("[I10] that was withdrawn but echoed all the same was taken", () => {
    const state = log(...sent("a"), cancelled("a"), buildEvent("turn:start"), taken("a"));
    expect(state.inputs).toMatchObject([{ phase: "taken", cancelReason: null }]);
    expect(phases(log(...sent("a"), buildEvent("turn:start"), taken("a"), cancelled("a")))).toEqual(
      { a: "taken" },
    );
  });

  it("[I5] sent to a process that does not echo it is done with the next result", () => {
    expect(phases(log(...sent("a"), buildEvent("turn:start"), buildEvent("turn:end")))).toEqual({
      a: "done",
    });
    expect(phases(log(...sent("a"), buildEvent("turn:end")))).toEqual({ a: "done" });
  });

  it("[I5] is not done with a turn that took another, nor with one that started by itself", () => {
    const other = log(
      ...sent("a"),
      buildEvent("turn:start"),
      taken("a"),
      ...sent("b"),
      buildEvent("turn:end"),
    );
    expect(phases(other)).toEqual({ a: "done", b: "sent" });
    expect(deriveStatus(other)).toBe("streaming");
    const own = log(
      buildEvent("turn:start"),
      ...sent("a"),
      buildEvent("turn:end", { data: { origin: "task-notification" } }),
    );
    expect(phases(own)).toEqual({ a: "sent" });
  });

  it("[I5] answered with an error before any turn began was not done", () => {
    const refused = buildEvent("turn:end", {
      data: { isError: true, numTurns: 0, terminalReason: null },
    });
    expect(phases(log(...sent("a"), refused))).toEqual({ a: "interrupted" });
  });

  it("[I6] merged into another is taken by that one's turn", () => {
    const batch = [
      ...sent("a"),
      ...sent("c"),
      taken("a", true),
      buildEvent("turn:start"),
      taken("c"),
    ];
    expect(phases(log(...batch))).toEqual({ a: "taken", c: "taken" });
    expect(log(...batch).turn?.inputIds).toEqual(["a", "c"]);
    expect(phases(log(...batch, buildEvent("turn:end")))).toEqual({ a: "done", c: "done" });
  });

  it("[I6] echoed as a dropped duplicate is over: no turn follows, and nothing hangs", () => {
    const again = log(
      ...sent("a"),
      buildEvent("turn:start"),
      taken("a"),
      buildEvent("turn:end"),
      taken("a", true),
    );
    expect(phases(again)).toEqual({ a: "done" });
    const earlierLife = log(...sent("a"), taken("a", true));
    expect(phases(earlierLife)).toEqual({ a: "done" });
    expect(deriveStatus(earlierLife)).toBe("idle");
  });

  it("[I11] nobody knows of is passed over", () => {
    const state = log(
      taken("x"),
      buildEvent("input:sent", { data: { inputId: "y" } }),
      cancelled("z"),
    );
    expect(state.inputs).toEqual([]);
  });

  it("[I7] is lost with its process if it was not taken, interrupted if it was, and stays queued before that", () => {
    const state = log(
      ...sent("a"),
      buildEvent("turn:start"),
      taken("a"),
      ...sent("b"),
      queued("c"),
      buildEvent("run:end"),
    );
    expect(state.inputs.map((input) => [input.inputId, input.phase, input.cancelReason])).toEqual([
      ["a", "interrupted", null],
      ["b", "cancelled", "lost"],
      ["c", "queued", null],
    ]);
    expect(state.queueHeld).toBe(true);
  });

  it("[I9] in the queue moves again with the next one", () => {
    const held = [
      queued("a"),
      buildEvent("run:end"),
      buildEvent("run:start"),
      buildEvent("run:ready"),
    ];
    expect(deriveStatus(log(...held))).toBe("idle");
    const state = log(...held, queued("b"));
    expect([state.queueHeld, deriveStatus(state)]).toEqual([false, "streaming"]);
  });

  it("[E6] that is closed leaves the state after so many others", () => {
    const state = log(
      ...Array.from({ length: 40 }, (_, i) => [queued(`i${i}`), cancelled(`i${i}`)]).flat(),
      queued("open"),
    );
    expect(state.inputs).toHaveLength(KEEP_CLOSED + 1);
    expect(state.inputs.at(-1)?.inputId).toBe("open");
  });
});

describe("a stop of the turn", () => {
  const TURN = [...sent("a"), buildEvent("turn:start"), taken("a")];

  it("[S6] is answered by the end of the turn, which interrupts what it took and holds the queue", () => {
    const state = log(...TURN, queued("b"), buildEvent("stop:requested"), buildEvent("turn:end"));
    expect(phases(state)).toEqual({ a: "interrupted", b: "queued" });
    expect([state.stop, state.queueHeld, deriveStatus(state)]).toEqual([null, true, "idle"]);
  });

  it("[S6] is answered, too, when the last thing under way is called back", () => {
    const state = log(...sent("a"), buildEvent("stop:requested"), cancelled("a"));
    expect([state.stop, state.queueHeld, deriveStatus(state)]).toEqual([null, true, "idle"]);
  });

  it("[S6] leaves no mark on the next turn when nothing was under way", () => {
    const state = log(buildEvent("stop:requested"), ...TURN, buildEvent("turn:end"));
    expect(phases(state)).toEqual({ a: "done" });
  });

  it("[S5] does not weaken a stop of the run", () => {
    const state = log(
      ...TURN,
      buildEvent("stop:requested", { data: { scope: "run" } }),
      buildEvent("stop:requested"),
    );
    expect(state.stop?.scope).toBe("run");
    expect(
      log(buildEvent("stop:requested", { data: { scope: "run", reason: "idle" } })).stop?.reason,
    ).toBe("idle");
  });
});
