import { describe, expect, it } from "vitest";
import { derivePlanOutcomes, deriveActivity } from "../derive.ts";
import type { SessionEvent } from "../event.ts";
import { fold } from "../fold.ts";
import { KEEP_CLOSED, type SessionState } from "../state.ts";
import { buildEvent, numbered } from "../testing/build-event.ts";

const READY = [buildEvent("run:start"), buildEvent("run:ready")];
const log = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered([...READY, ...events]));
const asked = (requestId: string, data: object = {}): SessionEvent =>
  buildEvent("permission:requested", { data: { requestId, ...data } });
const resolved = (requestId: string, outcome: "allowed" | "denied" = "allowed"): SessionEvent =>
  buildEvent("permission:resolved", {
    data: { requestId, outcome },
    by: { userId: "u", via: "browser" },
  });

describe("prompts", () => {
  it("[P1] stand side by side, and an answer closes its own only", () => {
    const state = log(asked("a"), asked("b"), asked("c"), resolved("b", "denied"));
    expect(state.prompts.map((prompt) => prompt.requestId)).toEqual(["a", "c"]);
    expect(state.resolved).toMatchObject([
      { requestId: "b", outcome: "denied", by: { userId: "u" } },
    ]);
    expect(deriveActivity(state)).toEqual({ kind: "waiting", prompts: 2 });
  });

  it("[P2] are closed once: a second answer, or one to an unknown prompt, changes nothing", () => {
    const state = log(asked("a"), resolved("a"), resolved("a", "denied"), resolved("x"));
    expect(state.resolved).toMatchObject([{ requestId: "a", outcome: "allowed" }]);
  });

  it("[P2] asked again under the same id after the answer stay closed", () => {
    expect(log(asked("a"), resolved("a"), asked("a")).prompts).toEqual([]);
  });

  it("[P3] outlast their turn: only the CLI or the end of the run closes them", () => {
    const state = log(buildEvent("turn:start"), asked("a"), buildEvent("turn:end"));
    expect(state.prompts).toHaveLength(1);
    expect(deriveActivity(state)).toEqual({ kind: "waiting", prompts: 1 });
  });

  it("[P4] are lost with their process, and an answer that comes later finds none", () => {
    const state = log(asked("a"), asked("b"), buildEvent("run:end"), resolved("a"));
    expect(state.prompts).toEqual([]);
    expect(state.resolved.map((prompt) => [prompt.requestId, prompt.outcome])).toEqual([
      ["a", "lost"],
      ["b", "lost"],
    ]);
  });

  it("[P1] of another run with the same id are others", () => {
    const next = { ...buildEvent("run:start"), runId: "run-2" };
    const again = { ...asked("a"), runId: "run-2" } as SessionEvent;
    const state = log(asked("a"), buildEvent("run:end"), next, again, resolved("a"));
    expect(state.prompts).toMatchObject([{ requestId: "a", runId: "run-2" }]);
  });

  it("[P5] for a plan carry its outcome, and after the answer only its beginning", () => {
    const plan = "# Plan\n".repeat(500);
    const pending = log(asked("a", { kind: "plan", input: { plan } }));
    expect(derivePlanOutcomes(pending)).toMatchObject([{ outcome: "pending", plan }]);
    const state = log(
      asked("a", { kind: "plan", input: { plan } }),
      asked("b", { kind: "plan", input: {} }),
      resolved("a", "denied"),
      buildEvent("run:end"),
    );
    expect(state.plans.map((one) => one.outcome)).toEqual(["rejected", "lost"]);
    expect(state.plans[0]?.plan).toBe(plan.slice(0, 500));
    expect(state.plans[1]?.plan).toBeNull();
  });

  it("[E6] that are closed leave the state after so many others", () => {
    const state = log(
      ...Array.from({ length: 30 }, (_, i) => [asked(`r${i}`), resolved(`r${i}`)]).flat(),
    );
    expect(state.resolved).toHaveLength(KEEP_CLOSED);
  });
});
