import { describe, expect, test } from "vitest";
import { initialState, type Activity } from "@lodge/protocol";
import type { ConnectionState } from "@lodge/client";
import { describeStatus, QUIET_MS, QUIET_TOOL_MS, type StatusFacts } from "./describe-status.ts";

const NOW = 1_000_000;
const facts = (change: Partial<StatusFacts> = {}): StatusFacts => ({
  status: "idle",
  activity: { kind: "idle" },
  state: initialState,
  connection: { kind: "live", since: 0 },
  presence: { runnerConnected: true, lastLineAt: NOW, storeHealthy: true },
  writing: null,
  isHydrated: true,
  now: NOW,
  localNow: NOW,
  ...change,
});
const thinking: Activity = { kind: "thinking" };
const tool: Activity = { kind: "tool", name: "Bash", toolUseId: "t", since: NOW - 65_000 };
const texts = (change: Partial<StatusFacts>) =>
  describeStatus(facts(change)).facts.map((fact) => fact.text);

describe("the status line", () => {
  test("says what goes on, and since when", () => {
    expect(describeStatus(facts()).text).toBe("Not running; your next message starts it");
    expect(describeStatus(facts({ activity: tool }))).toMatchObject({
      tone: "busy",
      text: "Running Bash, 1 min 5 s",
    });
    expect(describeStatus(facts({ activity: { kind: "waiting", prompts: 2 } }))).toMatchObject({
      tone: "needs-you",
      text: "Waiting for 2 answers",
    });
  });

  test("goes by the block being written where the log is behind", () => {
    const writing = { kind: "text", text: "Hel" } as const;
    expect(describeStatus(facts({ activity: thinking, writing })).text).toContain("Writing");
  });

  test.each<[string, ConnectionState, string]>([
    [
      "waiting",
      { kind: "waiting", until: NOW + 4_200, attempt: 2, cause: "cut" },
      "trying again in 5 s",
    ],
    ["offline", { kind: "offline" }, "Offline"],
    ["ended", { kind: "ended", reason: "signed_out" }, "Signed out"],
  ])("does not call true what was true before it was cut off: %s", (_kind, connection, text) => {
    const words = describeStatus(facts({ connection, activity: tool }));
    expect(words.tone).toBe("unknown");
    expect(words.text).toContain(text);
    expect(words.facts[0]?.text).toBe("Last known: Running Bash, 1 min 5 s");
  });

  test("claims nothing before it knows anything", () => {
    const connection = { kind: "connecting", since: 0 } as const;
    expect(describeStatus(facts({ connection, isHydrated: false }))).toEqual({
      tone: "unknown",
      text: "Connecting…",
      facts: [],
    });
  });

  test("says when it hears nothing of what should be talking", () => {
    const presence = (silentMs: number) => ({
      runnerConnected: true,
      lastLineAt: NOW - silentMs,
      storeHealthy: true,
    });
    expect(texts({ activity: thinking, presence: presence(QUIET_MS - 1) })).toEqual([]);
    expect(texts({ activity: thinking, presence: presence(QUIET_MS) })).toEqual([
      "Silent for 20 s",
    ]);
    // A tool may be quiet for longer, a prompt waits for us, and what is idle has nothing to say.
    expect(texts({ activity: tool, presence: presence(QUIET_TOOL_MS - 1) })).toEqual([]);
    expect(texts({ activity: tool, presence: presence(QUIET_TOOL_MS) })).toEqual([
      "Silent for 1 min",
    ]);
    expect(texts({ activity: { kind: "waiting", prompts: 1 }, presence: presence(1e6) })).toEqual(
      [],
    );
    expect(texts({ presence: presence(1e6) })).toEqual([]);
  });

  test("says what cannot be seen or done", () => {
    const presence = { runnerConnected: false, lastLineAt: null, storeHealthy: false };
    const words = describeStatus(facts({ presence }));
    expect(words.facts.map((fact) => fact.tone)).toEqual(["trouble", "trouble"]);
    expect(words.facts[0]?.text).toContain("runner is disconnected");
    expect(words.facts[1]?.text).toContain("you can read, not write");
  });

  test("a turn that is over with work going on behind it is both", () => {
    const task = {
      taskId: "t",
      taskType: "local_bash",
      toolUseId: null,
      description: "",
      startedAt: 0,
      status: "running",
      backgrounded: true,
      lastToolName: null,
    };
    expect(texts({ state: { ...initialState, tasks: [task] } })).toEqual([
      "1 background task running",
    ]);
  });
});
