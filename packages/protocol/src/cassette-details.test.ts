/** What the recordings show beyond how they end. */
import { describe, expect, it } from "vitest";
import { deriveActivity, deriveStatus, hasRunningBackgroundTasks } from "./derive.ts";
import type { EventType, SessionEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { groupEvents, extractSubagentChildren } from "./group-events.ts";
import type { SessionState } from "./state.ts";
import { loadCassette } from "./testing/load-cassette.ts";
import { replayCassette, type Replay } from "./testing/replay-cassette.ts";

const replay = (name: string): Replay => replayCassette(loadCassette(name));
/** The state just after the nth event of a type. */
function after(events: readonly SessionEvent[], type: EventType, nth = 1): SessionState {
  const found = events.filter((event) => event.type === type)[nth - 1];
  if (!found) throw new Error(`there is no ${type} number ${nth}`);
  return fold(events.filter((event) => event.seq <= found.seq));
}

describe("what the recordings show", () => {
  it("[S2] a process that was only initialised is idle and alive", () => {
    const state = after(replay("03-multi-turn").events, "run:ready");
    expect([deriveStatus(state), state.run?.alive, state.run?.loggedIn, state.run?.pid]).toEqual([
      "idle",
      true,
      true,
      27557,
    ]);
    expect([state.commands.length, state.models.length]).toEqual([25, 5]);
    expect(state.models[0]).toMatchObject({
      value: "default",
      efforts: ["low", "medium", "high", "xhigh", "max"],
    });
  });

  it("[N7] not being logged in is known from the reply to `initialize`", () => {
    const { events, state } = replay("45-not-logged-in");
    expect(after(events, "run:ready").run?.loggedIn).toBe(false);
    expect(state.lastError?.message).toBe("Not logged in · Please run /login");
  });

  it("[S7] waits for a person while a prompt is open, runs the tool after", () => {
    const { events } = replay("04-tool-allow");
    expect(deriveActivity(after(events, "permission:requested"))).toEqual({
      kind: "waiting",
      prompts: 1,
    });
    expect(deriveActivity(after(events, "permission:resolved"))).toMatchObject({
      kind: "tool",
      name: "Write",
    });
  });

  it("[P1] two prompts are open at once, answered in the other order", () => {
    const { events, state } = replay("59-parallel-permissions");
    expect(
      after(events, "permission:requested", 2).prompts.map((prompt) => prompt.toolUseId),
    ).toEqual(["toolu_fake000002", "toolu_fake000003"]);
    expect(
      after(events, "permission:requested", 6).prompts.map((prompt) => prompt.agentId),
    ).toEqual(["a02883dc13f3c00f7", "a012ad433289ec714"]);
    expect(state.resolved.map((prompt) => prompt.requestId.slice(0, 4))).toEqual([
      "bdcb",
      "6121",
      "adb4",
      "b4f3",
      "02e9",
      "6032",
    ]);
  });

  it("[S6] an interrupted turn is stopping until its result, and holds the queue", () => {
    const { events } = replay("11-interrupt-running-tool");
    expect(deriveStatus(after(events, "stop:requested"))).toBe("stopping");
    const state = after(events, "turn:end");
    expect([deriveStatus(state), state.queueHeld, state.lastError]).toEqual(["idle", true, null]);
  });

  it("[T4] retries are shown with when they end, and are over with the answer", () => {
    const { events } = replay("32-api-529");
    const state = after(events, "limit", 2);
    expect(state.limit).toMatchObject({
      kind: "overload",
      status: 529,
      attempt: 2,
      maxAttempts: 2,
      error: "overloaded",
    });
    expect((state.limit?.endsAt ?? 0) - state.at).toBe(1150);
    expect(deriveActivity(state).kind).toBe("retrying");
    expect(after(replay("32-api-429").events, "limit").limit?.kind).toBe("rate_limit");
    expect(after(replay("32-api-500").events, "limit").limit?.kind).toBe("retry");
    const failed = after(events, "turn:end");
    expect([failed.limit, failed.lastError?.code]).toEqual([null, "server_error"]);
    expect(failed.lastError?.message).toMatch(/^API Error: Repeated 529 Overloaded errors/);
  });

  it("[T5] a background command outlives its turns, and its end starts a turn of its own", () => {
    const { events } = replay("26-background-bash");
    expect(hasRunningBackgroundTasks(after(events, "task:started"))).toBe(true);
    const between = after(events, "turn:end", 2);
    expect([deriveStatus(between), hasRunningBackgroundTasks(between)]).toEqual(["idle", true]);
    expect(hasRunningBackgroundTasks(after(events, "task:notification"))).toBe(false);
    expect(deriveStatus(after(events, "turn:start", 3))).toBe("streaming");
  });

  it("[T5] a long command in the foreground never counts, one moved to the background does from then on", () => {
    const { events } = replay("28c-background-agent");
    expect(hasRunningBackgroundTasks(after(events, "task:started", 1))).toBe(false);
    expect(hasRunningBackgroundTasks(after(events, "task:started", 3))).toBe(false);
    const ended = events.filter((event) => event.type === "turn:end");
    const moved = fold(events.filter((event) => event.seq <= (ended[3]?.seq ?? 0)));
    expect(
      moved.tasks.filter((task) => task.status === "running").map((task) => task.description),
    ).toEqual(["Long2"]);
  });

  it("[T8] the todo list is the one the CLI keeps", () => {
    expect(replay("47-task-list").state.todos).toEqual([
      { id: "1", subject: "Write tests", activeForm: "Writing tests", status: "completed" },
      { id: "2", subject: "Ship", activeForm: null, status: "pending" },
    ]);
  });

  it("[T9] one cron fires once, the weekly one stays, the refused wakeup never was", () => {
    const { events } = replay("48b-cron");
    const ids = (state: SessionState): unknown =>
      state.wakeups.map((wakeup) => [wakeup.id, wakeup.when, wakeup.recurring]);
    const weekly = ["e55385e2", "0 9 * * 1", true];
    expect(ids(after(events, "turn:end", 1))).toEqual([["a749e74a", "* * * * *", false], weekly]);
    expect(ids(after(events, "turn:end", 2))).toEqual([weekly]);
  });

  it("[P5] a plan is rejected, made better and approved", () => {
    const { events, state } = replay("25-exit-plan-mode");
    expect(after(events, "permission:requested").prompts).toMatchObject([{ kind: "plan" }]);
    expect(state.plans.map((plan) => [plan.outcome, plan.plan])).toEqual([
      ["rejected", "# Plan\n1. Write a file"],
      ["approved", "# Plan\n1. Write a better file"],
    ]);
  });

  it("[U4] a compaction empties the gauge until the next call", () => {
    const { events } = replay("29-compact");
    expect(after(events, "notice").compacting).toBe(true);
    expect(after(events, "turn:end", 3).usage.contextTokens).toBe(0);
    expect(
      events.filter((event) => event.type === "turn:end").map((event) => event.data.compact),
    ).toEqual([false, false, true, false]);
  });

  it("[E9] /clear gives the conversation another id", () => {
    expect(replay("30b-local-commands").state.resumeIds.map((id) => id.slice(0, 8))).toEqual([
      "08de18bd",
      "e24f5940",
    ]);
    expect(replay("35-bad-resume").state.resumeIds).toEqual([]);
    expect(replay("35-bad-resume").state.lastError?.message).toMatch(
      /^No conversation found with session ID: 0{8}/,
    );
  });

  it("[U1] a session goes on in a second process: its cost adds up, its window is the model's", () => {
    const first = replayCassette(loadCassette("14a-kill9"), { runId: "run-1" });
    const { state } = replayCassette(loadCassette("14b-resume-after-kill9"), {
      runId: "run-2",
      from: first.state,
    });
    expect(first.state.lastError?.code).toBe("process_exit");
    expect(state).toMatchObject({
      turnCount: 2,
      lastError: null,
      resumeIds: ["7a1c0de0-0000-4000-8000-000000000001"],
    });
    expect([state.usage.costUsd, state.usage.contextWindow]).toEqual([0.22126, 200_000]);
  });

  it("[G1] a transcript has the calls of one message in one group, with their results", () => {
    const items = groupEvents(replay("04-tool-allow").events).filter(
      (item) => item.kind !== "event",
    );
    expect(
      items.map((item) =>
        item.kind === "tools"
          ? item.calls.map((call) => `${call.kind}:${call.toolUse.name}`)
          : item.kind,
      ),
    ).toEqual([
      "message",
      ["edit:Write", "edit:Write", "edit:Edit", "read:Read", "command:Bash"],
      "message",
    ]);
    const calls = items.flatMap((item) => (item.kind === "tools" ? item.calls : []));
    expect(calls.map((call) => call.result?.isError)).toEqual([false, false, false, false, true]);
  });

  it("[G2] what a subagent does stands under its call", () => {
    const { events } = replay("28-subagent");
    const children = extractSubagentChildren(events);
    expect([...children.keys()]).toEqual(["toolu_fake000002"]);
    expect(children.get("toolu_fake000002")?.map((item) => item.kind)).toEqual([
      "event",
      "message",
      "tools",
      "message",
    ]);
    expect(groupEvents(events).filter((item) => item.kind === "message")).toHaveLength(2);
  });
});
