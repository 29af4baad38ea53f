/**
 * Logs at random: any event after any other, over a few ids, so that they meet. What no session
 * would do must still fold to something.
 */
import fc from "fast-check";
import type { EventType, SessionEvent } from "../event.ts";
import { EVENT_TYPES } from "../event.ts";
import { buildEvent, buildRunConfig, type EventParts, numbered } from "./build-event.ts";

const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const runId = oneOf("run-1", "run-2");
const inputId = oneOf("input-1", "input-2", "input-3", "input-4");
const requestId = oneOf("request-1", "request-2", "request-3");
const taskId = oneOf("task-1", "task-2", "task-3");
const toolUseId = oneOf("toolu_1", "toolu_2", "toolu_3", "toolu_4");
const parentToolUseId = oneOf(null, null, "toolu_1");
const usage = fc.record({
  inputTokens: fc.nat(1000),
  outputTokens: fc.nat(1000),
  cacheReadTokens: fc.nat(1000),
  cacheCreationTokens: fc.nat(1000),
});

const toolUse = fc.record({
  type: fc.constant("tool_use" as const),
  id: toolUseId,
  name: oneOf(
    "Bash",
    "Agent",
    "TaskCreate",
    "TaskUpdate",
    "CronCreate",
    "CronDelete",
    "ScheduleWakeup",
  ),
  input: oneOf<Record<string, unknown>>(
    {},
    { run_in_background: true },
    { subject: "A", activeForm: "Doing A" },
    { taskId: "1", status: "in_progress" },
    { taskId: "1", status: "deleted" },
    { cron: "* * * * *", recurring: false },
    { id: "job-1" },
    { delaySeconds: 60 },
  ),
});
const block = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string() }),
  fc.record({ type: fc.constant("thinking" as const), thinking: fc.string() }),
  toolUse,
);
const toolResult = fc.record({
  type: fc.constant("tool_result" as const),
  toolUseId,
  content: oneOf("ok", "Task #2 created successfully"),
  isError: fc.boolean(),
});

/** What of an event's data is chosen; the rest is buildEvent's. */
const DATA: { readonly [T in EventType]: fc.Arbitrary<NonNullable<EventParts<T>["data"]>> } = {
  "run:start": fc.record({
    config: oneOf(buildRunConfig(), buildRunConfig({ resumeId: "another", resume: true })),
  }),
  "run:ready": fc.record({ complete: fc.boolean(), permissionMode: oneOf(null, "plan" as const) }),
  "run:end": fc.record({
    reason: oneOf(
      "completed",
      "stopped",
      "process_exit",
      "error",
      "runner_lost",
      "server_restart" as const,
    ),
    code: oneOf(0, 1, null),
  }),
  "run:error": fc.record({ code: oneOf("spawn_failed", "gone") }),
  "stop:requested": fc.record({ scope: oneOf("turn", "run" as const) }),
  content: fc.record({
    messageId: oneOf("msg_1", "msg_2"),
    blocks: fc.array(block, { maxLength: 3 }),
    usage: fc.option(usage, { nil: null }),
    parentToolUseId,
  }),
  result: fc.record({
    blocks: fc.array(toolResult, { maxLength: 2 }),
    parentToolUseId,
    detail: oneOf<unknown>(
      undefined,
      { task: { id: "1" } },
      { id: "job-1" },
      { backgroundTaskId: "task-1" },
    ),
  }),
  "turn:start": fc.record({ model: oneOf("claude-opus-4-8[1m]", null) }),
  "turn:end": fc.record({
    isError: fc.boolean(),
    usage,
    costUsd: fc.nat(100).map((cents) => cents / 100),
    origin: oneOf(null, null, "task-notification"),
    terminalReason: oneOf("completed", "aborted_streaming", null),
  }),
  "input:queued": fc.record({ inputId, deliver: oneOf("queue", "steer" as const) }),
  "input:sent": fc.record({ inputId }),
  "input:taken": fc.record({ inputId, merged: fc.boolean() }),
  "input:cancelled": fc.record({ inputId, reason: oneOf("withdrawn", "stopped", "lost" as const) }),
  "task:started": fc.record({
    taskId,
    taskType: oneOf("local_bash", "local_agent", "monitor"),
    toolUseId,
  }),
  "task:updated": fc.record({ taskId, backgrounded: fc.boolean() }),
  "task:notification": fc.record({ taskId, status: oneOf("completed", "stopped", "running") }),
  "permission:requested": fc.record({
    requestId,
    kind: oneOf("tool", "plan", "question" as const),
    input: oneOf<Record<string, unknown>>({}, { plan: "# Plan" }),
  }),
  "permission:resolved": fc.record({
    requestId,
    outcome: oneOf("allowed", "denied", "withdrawn", "lost", "expired" as const),
  }),
  "config:changed": fc.record({
    permissionMode: oneOf("default", "plan" as const),
    title: oneOf("A", "B"),
  }),
  limit: fc.record({ kind: oneOf("retry", "overload" as const) }),
  notice: fc.record({
    kind: oneOf("informational", "compacting", "compacted", "compact_failed" as const),
  }),
};

const eventOf = (type: EventType): fc.Arbitrary<SessionEvent> =>
  fc.tuple(DATA[type], runId, oneOf("cli", "person" as const)).map(([data, of, source]) => {
    const event = buildEvent(type, { data, source });
    return event.runId === null ? event : { ...event, runId: of };
  });

const anyEvent: fc.Arbitrary<SessionEvent> = fc.constantFrom(...EVENT_TYPES).chain(eventOf);

/** A numbered log. Runs begin often enough that most of it is of a live one. */
export const arbitraryLog = (maxLength = 80): fc.Arbitrary<SessionEvent[]> =>
  fc
    .array(
      fc.oneof({ weight: 12, arbitrary: anyEvent }, { weight: 1, arbitrary: eventOf("run:start") }),
      { maxLength },
    )
    .map((events) => numbered(events));
