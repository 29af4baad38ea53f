import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drafts, RUN } from "@lodge/client/testing";
import type { EventDraft } from "@lodge/protocol";
import { renderInRoom } from "../../testing/render-in-room.tsx";
import { createStop, SECOND_STEP_AFTER_MS } from "./create-stop.ts";
import { StopButton } from "./stop-button.tsx";

const stopped = (scope: "turn" | "run"): EventDraft => ({
  type: "stop:requested",
  source: "person",
  runId: RUN,
  data: { scope },
});
const busy = [drafts.runStart(), drafts.turnStart()];

let page: ReturnType<typeof renderInRoom>;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  page.dispose();
  vi.useRealTimers();
});
const open = (...log: readonly EventDraft[]) => {
  const Part = () => {
    const stop = createStop();
    return <StopButton stop={stop} />;
  };
  page = renderInRoom(log, () => <Part />);
};

test("is not there when there is nothing to stop", () => {
  open();
  expect(page.host.textContent).toBe("");
});

test("stops the turn first; the second press ends the run, and says so before", async () => {
  open(...busy);
  page.button("Stop").click();
  page.button("Stop").click();
  expect(page.acts().map((act) => act.body)).toEqual([{ scope: "turn" }]);
  page.world.last().respond(202, { scope: "turn" });
  page.append([stopped("turn")]);
  expect(page.host.textContent).toContain("Once more ends the run");
  // A double click meant one thing.
  page.button("End run").click();
  expect(page.acts()).toHaveLength(1);
  vi.advanceTimersByTime(SECOND_STEP_AFTER_MS);
  vi.useRealTimers();
  await page.world.settle();
  page.button("End run").click();
  expect(page.acts().map((act) => act.body)).toEqual([{ scope: "turn" }, { scope: "run" }]);
});

test("when the run is being ended there is nothing left to press", () => {
  open(...busy, stopped("turn"), stopped("run"));
  page.button("Ending the run…").click();
  expect(page.acts()).toEqual([]);
});

test("is gone when the turn is over", () => {
  open(...busy, stopped("turn"));
  page.append([drafts.turnEnd()]);
  expect(page.hasButton("End run")).toBe(false);
});
