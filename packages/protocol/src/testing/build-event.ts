/** Events, states and configurations for tests: everything has a plain default, a test says what matters. */
import type {
  EventDataByType,
  EventOfType,
  EventType,
  RunConfig,
  SessionEvent,
  TokenUsage,
} from "../event.ts";
import type { SpawnConfig } from "../process.ts";

export const SESSION_ID = "11111111-0000-4000-8000-000000000001";
export const RUN_ID = "22222222-0000-4000-8000-000000000001";
export const RESUME_ID = "33333333-0000-4000-8000-000000000001";
export const INPUT_ID = "44444444-0000-4000-8000-000000000001";

export const NO_TOKENS: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};

export const buildRunConfig = (over: Partial<RunConfig> = {}): RunConfig => ({
  cwd: "/home/dev/proj",
  resumeId: RESUME_ID,
  resume: false,
  model: null,
  effort: null,
  permissionMode: "default",
  trust: false,
  ...over,
});

export const buildSpawnConfig = (over: Partial<SpawnConfig> = {}): SpawnConfig => ({
  ...buildRunConfig(),
  sessionId: SESSION_ID,
  runId: RUN_ID,
  userId: "user-1",
  allowBypass: false,
  ...over,
});

const DEFAULT_DATA: EventDataByType = {
  "run:start": { config: buildRunConfig() },
  "run:ready": {
    complete: false,
    resumeId: RESUME_ID,
    model: null,
    tools: [],
    cwd: null,
    mcpServers: [],
    permissionMode: null,
    cliVersion: null,
    pid: 7,
    account: null,
    loggedIn: true,
    commands: [],
    models: [],
  },
  "run:end": { reason: "process_exit", code: 0, signal: null },
  "run:error": { code: "spawn_failed", message: "It could not be started." },
  "stop:requested": { scope: "turn" },
  content: {
    messageId: "msg_1",
    blocks: [{ type: "text", text: "Hello." }],
    usage: null,
    model: "claude-opus-4-8",
    parentToolUseId: null,
  },
  result: {
    blocks: [{ type: "tool_result", toolUseId: "toolu_1", content: "ok", isError: false }],
    parentToolUseId: null,
  },
  "turn:start": { resumeId: RESUME_ID, model: "claude-opus-4-8[1m]", permissionMode: null },
  "turn:end": {
    subtype: "success",
    isError: false,
    usage: NO_TOKENS,
    durationMs: 10,
    costUsd: 0,
    modelUsage: {},
    numTurns: 1,
    result: "Hello.",
    terminalReason: "completed",
    apiErrorStatus: null,
    errors: [],
    permissionDenials: 0,
    compact: false,
    origin: null,
  },
  "input:queued": { inputId: INPUT_ID, text: "Hi", contentBlocks: [], deliver: "queue" },
  "input:sent": { inputId: INPUT_ID, source: "user" },
  "input:taken": { inputId: INPUT_ID, merged: false },
  "input:cancelled": { inputId: INPUT_ID, reason: "withdrawn" },
  "task:started": {
    taskId: "task-1",
    taskType: "local_bash",
    toolUseId: "toolu_1",
    description: "Count",
  },
  "task:updated": { taskId: "task-1", backgrounded: true },
  "task:notification": {
    taskId: "task-1",
    toolUseId: "toolu_1",
    status: "completed",
    summary: "Count",
    outputFile: null,
  },
  "permission:requested": {
    requestId: "request-1",
    kind: "tool",
    toolName: "Bash",
    displayName: "Bash",
    input: { command: "touch x" },
    suggestions: [],
    title: null,
    description: null,
    blockedPath: null,
    reason: null,
    reasonType: null,
    toolUseId: "toolu_1",
    agentId: null,
  },
  "permission:resolved": {
    requestId: "request-1",
    outcome: "allowed",
    answer: { behavior: "allow" },
  },
  "config:changed": {},
  limit: {
    kind: "retry",
    status: 500,
    error: "api_error",
    attempt: 1,
    maxAttempts: 10,
    endsAt: null,
    delayMs: 500,
  },
  notice: { kind: "informational", level: "info", text: "Something." },
};

/** Types whose events belong to the session, not to one of its runs. */
const OF_SESSION: ReadonlySet<EventType> = new Set([
  "input:queued",
  "input:cancelled",
  "config:changed",
]);

export type EventParts<T extends EventType> = {
  readonly data?: Partial<EventDataByType[T]>;
} & Partial<Omit<EventOfType<T>, "type" | "data">>;

/** One event; seq 1 unless said. Number a log of them with `numbered`. */
export function buildEvent<T extends EventType>(type: T, parts: EventParts<T> = {}): SessionEvent {
  const { data, ...envelope } = parts;
  return {
    seq: 1,
    sessionId: SESSION_ID,
    runId: OF_SESSION.has(type) ? null : RUN_ID,
    at: 1_000,
    source: "cli",
    by: null,
    ...envelope,
    type,
    data: { ...DEFAULT_DATA[type], ...data },
  } as SessionEvent;
}

/** The same events as a log: seq from `from` on, one after the other, a second apart. */
export const numbered = (events: readonly SessionEvent[], from = 1): SessionEvent[] =>
  events.map((event, index) => ({ ...event, seq: from + index, at: (from + index) * 1_000 }));
