/** Every recording of the real CLI, replayed. */
import { describe, expect, it } from "vitest";
import { deriveStatus } from "./derive.ts";
import type { NoticeKind } from "./event.ts";
import { type Fields, textOr } from "./fields.ts";
import { fold } from "./fold.ts";
import { cassetteNames, loadCassette } from "./testing/load-cassette.ts";
import { RECORDED_ENDS } from "./testing/recorded-ends.ts";
import { replayCassette } from "./testing/replay-cassette.ts";

/** Lines that are known to say nothing of their own. */
function mayBeSilent(line: Fields): boolean {
  const name = `${textOr(line["type"], "")}/${textOr(line["subtype"], "")}`;
  if (name === "system/status") return line["status"] === "requesting" || line["status"] === null;
  return [
    "system/thinking_tokens",
    "system/session_state_changed",
    "stream_event/",
    "control_response/",
  ].includes(name);
}

describe("recordings of the real CLI", () => {
  it("every recording has its row", () => {
    expect(Object.keys(RECORDED_ENDS).toSorted()).toEqual(cassetteNames());
  });

  it.each(Object.entries(RECORDED_ENDS))("%s ends as it was recorded", (name, expected) => {
    const { reason, ...rest } = expected;
    const { events, state, silent } = replayCassette(
      loadCassette(name),
      reason === undefined ? {} : { reason },
    );
    const last = events.at(-1);
    const notices: Partial<Record<NoticeKind, number>> = {};
    for (const event of events)
      if (event.type === "notice") notices[event.data.kind] = (notices[event.data.kind] ?? 0) + 1;
    expect({
      turns: state.turnCount,
      inputs: state.inputs
        .toSorted((a, b) => a.queuedSeq - b.queuedSeq)
        .map((input) => input.phase)
        .join(" "),
      status: deriveStatus(fold(events.slice(0, -1))),
      cost: state.usage.costUsd,
      context: state.usage.contextTokens,
      window: state.usage.contextWindow,
      model: state.servingModel,
      mode: state.config.permissionMode,
      prompts: state.resolved.map((prompt) => prompt.outcome),
      tasks: state.tasks.map(
        (task) =>
          `${task.description}: ${task.taskType} ${task.status}${task.backgrounded ? " in background" : ""}`,
      ),
      error: state.lastError?.code ?? null,
      failedStarts: state.failedStarts,
      notices,
    }).toEqual(rest);
    // [S1] [P4] [T6] and after it nothing is left of the run.
    expect(last?.type).toBe("run:end");
    expect(deriveStatus(state)).toBe("idle");
    expect([state.turn, state.stop, state.limit, state.run?.alive]).toEqual([
      null,
      null,
      null,
      false,
    ]);
    expect([state.prompts, state.openTools, state.wakeups]).toEqual([[], [], []]);
    // [N1] every line is accounted for.
    expect(silent.filter((line) => !mayBeSilent(line))).toEqual([]);
    expect(notices.unknown_line).toBeUndefined();
  });
});
