import { describe, expect, it } from "vitest";
import { deriveActivity, deriveProcessAlive, deriveUsage } from "../derive.ts";
import type { EventDataByType, SessionEvent } from "../event.ts";
import { fold } from "../fold.ts";
import type { SessionState } from "../state.ts";
import { buildEvent, buildRunConfig, numbered } from "../testing/build-event.ts";

const READY = [buildEvent("run:start"), buildEvent("run:ready")];
const log = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered([...READY, ...events]));
const turnEnd = (data: Partial<EventDataByType["turn:end"]>): SessionEvent =>
  buildEvent("turn:end", { data });
const content = (data: Partial<EventDataByType["content"]>): SessionEvent =>
  buildEvent("content", { data });
const runEnd = (data: Partial<EventDataByType["run:end"]> = {}): SessionEvent =>
  buildEvent("run:end", { data });
const tokens = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 3,
  cacheCreationTokens: 4,
});

describe("a run", () => {
  it("[S2] that listens and was asked nothing is idle and alive", () => {
    const state = log();
    expect([deriveProcessAlive(state), state.run?.ready, state.run?.initSeen]).toEqual([
      true,
      true,
      false,
    ]);
    expect(deriveActivity(state)).toEqual({ kind: "idle" });
  });

  it("[S1] that is over is not woken by its own late lines, nor by those of a run before it", () => {
    const late = [
      buildEvent("turn:start"),
      buildEvent("content"),
      buildEvent("permission:requested"),
      buildEvent("task:started"),
    ];
    const ended = log(runEnd());
    const after = fold(numbered([...READY, runEnd(), ...late]));
    expect({ ...after, seq: 0, at: 0 }).toEqual({ ...ended, seq: 0, at: 0 });
    const next = [{ ...buildEvent("run:start"), runId: "run-2" }] as SessionEvent[];
    expect(log(runEnd(), ...next, ...late).turn).toBeNull();
  });

  it("[E7] keeps what `initialize` and `init` said, each what it knows", () => {
    const state = log(
      buildEvent("run:ready", {
        data: { commands: [{ name: "clear", description: "Clear it", argumentHint: "" }], pid: 9 },
      }),
      buildEvent("run:ready", {
        data: {
          complete: true,
          pid: null,
          loggedIn: null,
          tools: ["Bash"],
          permissionMode: "plan",
          commands: [{ name: "clear", description: "", argumentHint: "" }],
        },
      }),
    );
    expect(state.run).toMatchObject({ pid: 9, loggedIn: true, tools: ["Bash"], initSeen: true });
    expect(state.commands).toMatchObject([{ description: "Clear it" }]);
    expect(state.config.permissionMode).toBe("plan");
  });

  it("[E8] takes over the settings it was started with, and the CLI's word about its mode", () => {
    const config = buildRunConfig({
      model: "opus",
      effort: "high",
      permissionMode: "acceptEdits",
      trust: true,
    });
    const state = fold(
      numbered([
        buildEvent("config:changed", { data: { title: "T", model: "haiku" }, source: "person" }),
        buildEvent("run:start", { data: { config } }),
        buildEvent("config:changed", { data: { effort: null }, source: "person" }),
        buildEvent("config:changed", { data: { permissionMode: "plan" } }),
      ]),
    );
    expect(state.config).toEqual({
      permissionMode: "plan",
      model: "opus",
      effort: null,
      title: "T",
      trust: true,
    });
    expect(state.configChanges).toEqual({ effort: 3 });
    expect(state.run?.config).toEqual(config);
  });

  it("[E9] knows the CLI's ids of its transcripts, the present one last, and none before there is one", () => {
    expect(log().resumeIds).toEqual([]);
    const state = log(
      buildEvent("run:ready", { data: { complete: true } }),
      buildEvent("turn:start", { data: { resumeId: "after-clear" } }),
      turnEnd({}),
      buildEvent("turn:start", { data: { resumeId: "after-clear" } }),
    );
    expect(state.resumeIds).toEqual([buildRunConfig().resumeId, "after-clear"]);
  });

  it.each<[Partial<EventDataByType["run:end"]>, string | null]>([
    [{ reason: "completed", code: 1 }, null],
    [{ reason: "stopped", code: null, signal: "SIGTERM" }, null],
    [{ reason: "idle_timeout" }, null],
    [{ reason: "process_exit", code: 0 }, null],
    [{ reason: "process_exit", code: 1, message: "it broke" }, "it broke"],
    [{ reason: "process_exit", code: null, signal: "SIGKILL" }, "The process ended by itself."],
    [{ reason: "server_restart" }, null],
    [{ reason: "runner_lost" }, "The runner that held the process was lost."],
  ])("[S10] ended with %o leaves the error %s", (data, message) => {
    expect(log(runEnd(data)).lastError?.message ?? null).toBe(message);
  });

  it("[S10] that ends by itself in the middle of a turn leaves an error, whatever its exit code", () => {
    expect(log(buildEvent("turn:start"), runEnd()).lastError?.code).toBe("process_exit");
    const withItsHost = runEnd({ reason: "server_restart" });
    expect(log(buildEvent("turn:start"), withItsHost).lastError?.code).toBe("server_restart");
  });

  it("[S9] counts as a failed start when it ends by itself without a turn; a turn clears the count", () => {
    const failing = [
      runEnd({ reason: "process_exit", code: 1 }),
      ...READY,
      runEnd({ reason: "error", code: null }),
    ];
    expect(log(...failing).failedStarts).toBe(2);
    expect(log(...failing, ...READY, buildEvent("turn:start"), turnEnd({})).failedStarts).toBe(0);
    expect(log(runEnd({ reason: "stopped" })).failedStarts).toBe(0);
  });
});

describe("errors and limits", () => {
  it("[T3] a failed turn leaves its error, a good one clears it", () => {
    const failed = turnEnd({ isError: true, apiErrorStatus: 529, result: "API Error: Overloaded" });
    expect(log(failed).lastError).toMatchObject({
      code: "api_error_529",
      message: "API Error: Overloaded",
    });
    expect(log(failed, turnEnd({})).lastError).toBeNull();
  });

  it("[T3] the word that the CLI has for it stands", () => {
    const events = [
      buildEvent("turn:start"),
      content({
        error: "authentication_failed",
        synthetic: true,
        blocks: [{ type: "text", text: "Not logged in" }],
      }),
      turnEnd({ isError: true, result: "Not logged in" }),
    ];
    expect(log(...events).lastError).toMatchObject({
      code: "authentication_failed",
      message: "Not logged in",
    });
  });

  it("[T3] an interrupt is no error, and diagnostics are for no reader", () => {
    const aborted = {
      isError: true,
      subtype: "error_during_execution",
      errors: ["[ede_diagnostic] x"],
      result: null,
    };
    expect(
      log(buildEvent("turn:start"), turnEnd({ ...aborted, terminalReason: "aborted_tools" }))
        .lastError,
    ).toBeNull();
    expect(log(turnEnd({ ...aborted, terminalReason: null })).lastError).toMatchObject({
      code: "error_during_execution",
      message: "The turn ended with an error.",
    });
  });

  it("[T4] a limit ends after its delay, and is over with the next word of the model", () => {
    const state = log(buildEvent("limit"), buildEvent("limit", { data: { attempt: 2 } }));
    expect(state.limit).toMatchObject({ attempt: 2, since: 3_000, endsAt: 4_500 });
    expect(log(buildEvent("limit"), buildEvent("content")).limit).toBeNull();
    expect(log(buildEvent("limit"), turnEnd({})).limit).toBeNull();
    expect(log(buildEvent("turn:start"), buildEvent("limit")).limit).not.toBeNull();
  });
});

describe("usage", () => {
  it("[U1] adds up the turns, and the cost of runs that each count from nothing", () => {
    const state = log(
      turnEnd({ usage: tokens(10, 1), costUsd: 0.1 }),
      turnEnd({ usage: tokens(20, 2), costUsd: 0.3, durationMs: 7 }),
      runEnd(),
      ...READY,
      turnEnd({ usage: tokens(5, 1), costUsd: 0.2, durationMs: 9 }),
    );
    expect(deriveUsage(state)).toMatchObject({
      total: { inputTokens: 35, outputTokens: 4, cacheReadTokens: 9, cacheCreationTokens: 12 },
      costUsd: 0.5,
      lastTurnMs: 9,
    });
  });

  it("[U2] the context is what the last top-level call held, not a subagent's", () => {
    const state = log(
      content({ usage: tokens(100, 1) }),
      content({ usage: tokens(7, 1), parentToolUseId: "toolu_1", model: "haiku" }),
      content({ usage: tokens(8, 1), synthetic: true, model: null }),
    );
    expect([state.usage.contextTokens, state.servingModel]).toEqual([108, "claude-opus-4-8"]);
  });

  const usage = (contextWindow: number) => ({ ...tokens(1, 1), costUsd: 0, contextWindow });
  it.each([
    [{ "claude-opus-4-8[1m]": usage(1_000_000), haiku: usage(1) }, 1_000_000],
    [{ "claude-opus-4-8": usage(200_000) }, 200_000],
    [{ "claude-opus-4-8": usage(200_000), "claude-opus-4-8[1m]": usage(1_000_000) }, 1_000_000],
    [{ haiku: usage(1) }, null],
  ])("[U3] the window is that of the model that answers: %o", (modelUsage, window) => {
    expect(
      log(buildEvent("turn:start"), content({}), turnEnd({ modelUsage })).usage.contextWindow,
    ).toBe(window);
  });

  it("[U4] a compaction resets the gauge and marks the turn", () => {
    const compacting = [
      buildEvent("turn:start"),
      content({ usage: tokens(9, 1) }),
      buildEvent("notice", { data: { kind: "compacting" } }),
    ];
    expect(deriveActivity(log(...compacting))).toEqual({ kind: "compacting" });
    const state = log(...compacting, buildEvent("notice", { data: { kind: "compacted" } }));
    expect([state.usage.contextTokens, state.turn?.compacted, state.compacting]).toEqual([
      0,
      true,
      false,
    ]);
  });
});

describe("activity", () => {
  const turn = buildEvent("turn:start");
  const tool = content({ blocks: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: {} }] });
  it.each<[string, readonly SessionEvent[], string]>([
    ["nothing said yet", [turn], "thinking"],
    ["thinking", [turn, content({ blocks: [{ type: "thinking", thinking: "…" }] })], "thinking"],
    ["writing", [turn, content({})], "responding"],
    ["a tool runs", [turn, tool], "tool"],
    ["a tool has answered", [turn, tool, buildEvent("result")], "thinking"],
    ["the API is asked again", [turn, buildEvent("limit")], "retrying"],
    ["a person is asked", [turn, tool, buildEvent("permission:requested")], "waiting"],
    ["a stop is under way", [turn, tool, buildEvent("stop:requested")], "stopping"],
  ])("[S7] %s", (_what, events, kind) => {
    expect(deriveActivity(log(...events)).kind).toBe(kind);
  });
});
