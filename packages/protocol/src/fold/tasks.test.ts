import { describe, expect, it } from "vitest";
import {
  deriveBackgroundTasks,
  deriveScheduledWakeup,
  hasRunningBackgroundTasks,
} from "../derive.ts";
import type { SessionEvent } from "../event.ts";
import { fold } from "../fold.ts";
import type { SessionState } from "../state.ts";
import { buildEvent, numbered } from "../testing/build-event.ts";

const READY = [buildEvent("run:start"), buildEvent("run:ready"), buildEvent("turn:start")];
const log = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered([...READY, ...events]));
const call = (name: string, input: Record<string, unknown>, id = "toolu_1"): SessionEvent =>
  buildEvent("content", { data: { blocks: [{ type: "tool_use", id, name, input }] } });
const answer = (detail: unknown, over: { id?: string; isError?: boolean } = {}): SessionEvent =>
  buildEvent("result", {
    data: {
      blocks: [
        {
          type: "tool_result",
          toolUseId: over.id ?? "toolu_1",
          content: "",
          isError: over.isError ?? false,
        },
      ],
      detail,
    },
  });
const started = (taskType: string): SessionEvent =>
  buildEvent("task:started", { data: { taskType } });

describe("tasks", () => {
  it("[T5] a Bash in the foreground is none to count, and ends with its turn", () => {
    const state = log(call("Bash", {}), started("local_bash"));
    expect([deriveBackgroundTasks(state), hasRunningBackgroundTasks(state)]).toEqual([[], false]);
    expect(log(started("local_bash"), buildEvent("turn:end")).tasks).toMatchObject([
      { status: "stopped" },
    ]);
  });

  it.each<[string, readonly SessionEvent[]]>([
    [
      "called with run_in_background",
      [call("Bash", { run_in_background: true }), started("local_bash")],
    ],
    ["told so by an update", [started("local_bash"), buildEvent("task:updated")]],
    [
      "named by the result of its tool",
      [started("local_bash"), answer({ backgroundTaskId: "task-1" })],
    ],
    [
      "a subagent whose call has its result",
      [started("local_agent"), answer({ status: "async_launched" })],
    ],
    ["of a kind without a foreground", [started("monitor")]],
  ])("[T5] %s it counts, and outlives its turn", (_how, events) => {
    const state = log(...events, buildEvent("turn:end"));
    expect(hasRunningBackgroundTasks(state)).toBe(true);
    expect(deriveBackgroundTasks(state)).toMatchObject([{ status: "running" }]);
  });

  it("[T5] an interrupt's error result does not put it in the background", () => {
    expect(
      log(started("local_agent"), answer(undefined, { isError: true }), buildEvent("turn:end"))
        .tasks,
    ).toMatchObject([{ status: "stopped", backgrounded: false }]);
  });

  it("[T6] ends once, by update or notification, or with its run", () => {
    const done = buildEvent("task:notification", { data: { status: "failed" } });
    const background = [started("monitor"), buildEvent("turn:end")];
    expect(log(...background, done, buildEvent("task:notification")).tasks).toMatchObject([
      { status: "failed" },
    ]);
    expect(log(...background, buildEvent("run:end")).tasks).toMatchObject([{ status: "stopped" }]);
  });

  it("[T7] only the tools of background tasks stay open after a turn", () => {
    const nested = { ...call("Bash", {}, "toolu_2") } as Extract<SessionEvent, { type: "content" }>;
    const state = log(
      call("Agent", { run_in_background: true }),
      started("local_agent"),
      { ...nested, data: { ...nested.data, parentToolUseId: "toolu_1" } },
      call("Bash", {}, "toolu_3"),
      buildEvent("turn:end"),
    );
    expect(state.openTools.map((tool) => tool.toolUseId)).toEqual(["toolu_2"]);
  });
});

describe("the todo list", () => {
  const create = [
    call("TaskCreate", { subject: "Ship", activeForm: "Shipping" }),
    answer({ task: { id: "1" } }),
  ];

  it("[T8] is what the calls that worked say", () => {
    const update = [
      call("TaskUpdate", { taskId: "1", status: "completed", subject: "Shipped" }),
      answer({ success: true }),
    ];
    expect(log(...create).todos).toEqual([
      { id: "1", subject: "Ship", activeForm: "Shipping", status: "pending" },
    ]);
    expect(log(...create, ...update).todos).toMatchObject([
      { status: "completed", subject: "Shipped" },
    ]);
    expect(
      log(...create, call("TaskUpdate", { taskId: "1", status: "deleted" }), answer({})).todos,
    ).toEqual([]);
  });

  it("[T8] does not follow calls that failed", () => {
    const failed = [
      call("TaskUpdate", { taskId: "1", status: "completed" }),
      answer({}, { isError: true }),
    ];
    expect(log(...create, ...failed).todos).toMatchObject([{ status: "pending" }]);
    expect(
      log(call("TaskCreate", { subject: "x" }), answer(null, { isError: true })).todos,
    ).toEqual([]);
  });

  it("[E6] is bounded, and gives up finished ones first", () => {
    const many = Array.from({ length: 205 }, (_, i) => [
      call("TaskCreate", { subject: `s${i}` }),
      answer({ task: { id: String(i) } }),
    ]).flat();
    const finish = [call("TaskUpdate", { taskId: "7", status: "completed" }), answer({})];
    const state = log(...many.slice(0, 400), ...finish, ...many.slice(400));
    expect(state.todos).toHaveLength(200);
    expect(state.todos.some((todo) => todo.id === "7")).toBe(false);
  });
});

describe("wakeups", () => {
  const cron = (id: string, recurring: boolean): SessionEvent[] => [
    call("CronCreate", { cron: "0 9 * * 1", recurring }),
    answer({ id, recurring }),
  ];
  const OVER = buildEvent("turn:end");

  it("[T9] are there from the call that worked until they are deleted", () => {
    const state = log(...cron("a", true), OVER);
    expect(deriveScheduledWakeup(state)).toEqual({
      id: "a",
      toolUseId: "toolu_1",
      kind: "cron",
      when: "0 9 * * 1",
      recurring: true,
    });
    expect(
      log(...cron("a", true), call("CronDelete", { id: "a" }), answer({ id: "a" })).wakeups,
    ).toEqual([]);
    expect(
      log(...cron("a", true), call("CronDelete", { id: "a" }), answer(0, { isError: true }))
        .wakeups,
    ).toHaveLength(1);
  });

  it("[T9] that fire once are gone after a turn that nobody asked for", () => {
    const asked = [buildEvent("input:queued"), buildEvent("input:sent"), ...cron("a", false), OVER];
    expect(log(...asked).wakeups).toHaveLength(1);
    expect(log(...asked, buildEvent("turn:start"), OVER).wakeups).toEqual([]);
  });

  it("[T9] refused by the CLI are none; a new delay replaces the old; all end with the run", () => {
    const wake = (scheduledFor: number): SessionEvent[] => [
      call("ScheduleWakeup", { delaySeconds: 60 }),
      answer({ scheduledFor }),
    ];
    expect(log(...wake(0)).wakeups).toEqual([]);
    expect(log(...wake(5), ...wake(9)).wakeups).toMatchObject([
      { kind: "wakeup", when: "60s", recurring: false },
    ]);
    expect(log(...wake(5), buildEvent("run:end")).wakeups).toEqual([]);
  });
});
