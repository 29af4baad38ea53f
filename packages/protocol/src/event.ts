/**
 * The events of a session's log: one numbered fact each.
 *
 * The log is the truth: whatever is shown about a session is a fold of these. An event is never
 * changed and never renumbered; a wrong one is answered by a later one.
 *
 * Payloads of types that come from a CLI line name the line they come from; the lines themselves
 * were measured on the real CLI 2.1.197.
 */

export type SessionId = string;
export type RunId = string;
/** Per-session counter, gapless from 1, given on append. The only cursor there is. */
export type Seq = number;

/** Who said it: a line of the CLI, the runner, the api, a person, or recovery (inferred after a loss). */
export type EventSource = "cli" | "runner" | "api" | "person" | "recovery";

/** The person an act belongs to, and the way it came in. */
export type Author = { readonly userId: string; readonly via: "browser" | "token" };

export type PermissionMode =
  | "default"
  | "acceptEdits"
  | "plan"
  | "dontAsk"
  | "auto"
  | "bypassPermissions";
export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/**
 * A string that was too large for the log: it lives in the session's blob store, the event keeps
 * what a reader needs to see at once. Stands wherever a string could.
 * `size` is in UTF-8 bytes; `head` and `tail` are whole code points.
 */
export type BlobRef = {
  readonly $blob: {
    readonly id: string;
    readonly size: number;
    readonly mediaType: string;
    readonly head: string;
    readonly tail: string;
  };
};
export type Text = string | BlobRef;

/** Blocks of a message, as the Messages API shapes them; unknown kinds are kept as they came. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: Text }
  | { readonly type: "thinking"; readonly thinking: Text; readonly signature?: Text }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "image" | "document"; readonly source: Readonly<Record<string, unknown>> }
  | OtherBlock;
export type OtherBlock = { readonly type: "other"; readonly block: unknown };

export type ToolResultBlock = {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: Text | readonly unknown[];
  readonly isError: boolean;
};

/** Tokens of one API call (content) or one turn (turn:end). */
export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
};

export type ModelUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly costUsd: number;
  readonly contextWindow: number | null;
};

export type McpServerStatus = { readonly name: string; readonly status: string };
export type SlashCommand = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
};
export type ModelOffer = {
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly efforts: readonly string[];
};

/** How a run is to be started. `resumeId` is the CLI's session id, chosen by us. */
export type RunConfig = {
  /** null: the directory the runner gives the session. */
  readonly cwd: string | null;
  readonly resumeId: string;
  /** true: continue the transcript of `resumeId`; false: begin it. */
  readonly resume: boolean;
  readonly model: string | null;
  readonly effort: Effort | null;
  readonly permissionMode: PermissionMode;
  /** The person said that this directory's own settings and CLAUDE.md may act. */
  readonly trust: boolean;
};

export type RunEndReason =
  | "completed"
  | "stopped"
  | "interrupted"
  | "error"
  | "process_exit"
  | "idle_timeout"
  | "server_restart"
  | "runner_lost";

export type TaskType = "local_bash" | "local_agent" | (string & {});
export type TaskStatus = "running" | "completed" | "failed" | "killed" | "stopped" | (string & {});

/** A change the CLI offers to make when a prompt is allowed (CLI.md: permission_suggestions). */
export type PermissionUpdate = Readonly<Record<string, unknown>> & { readonly type: string };

export type PromptKind = "tool" | "plan" | "question" | "elicitation" | "dialog";

export type NoticeLevel = "info" | "warning" | "error";
/** Everything worth keeping that has no type of its own. `kind` is for machines, `text` for people. */
export type NoticeKind =
  | "unknown_line" // JSON of a type or subtype this version does not know
  | "bad_line" // not JSON, not an object, not UTF-8
  | "cut_line" // the process died in the middle of it
  | "unknown_control_request"
  | "control_error" // the CLI refused something the host asked for
  | "interrupted" // the CLI's own "[Request interrupted by user]"
  | "subagent_prompt"
  | "user_message" // a user line that is no input of ours: the CLI's own prompting
  | "local_output" // what a slash command or a host command printed
  | "compacting"
  | "compacted"
  | "compact_failed"
  | "compact_summary"
  | "permission_denied" // denied without asking
  | "hook"
  | "informational"
  | "usage_warning" // close to a usage limit, still allowed
  | "model_fallback"
  | "auth"
  | "mcp_failed"
  | "tool_summary"
  | "frozen"
  | "thawed"
  | "late_line" // a line of a run that was already declared over
  | "poison" // an event the store refused; its raw line is kept
  | "stderr"
  | "drift"
  | "trust"
  | "start_loop"; // two fast failures: Lodge stopped trying

export type EventDataByType = {
  "run:start": { readonly config: RunConfig };
  /** From the reply to `initialize` (complete: false), then from the run's first `init` (complete: true). */
  "run:ready": {
    readonly complete: boolean;
    readonly resumeId: string;
    readonly model: string | null;
    readonly tools: readonly string[];
    readonly cwd: string | null;
    readonly mcpServers: readonly McpServerStatus[];
    readonly permissionMode: PermissionMode | null;
    readonly cliVersion: string | null;
    readonly pid: number | null;
    /** null: not said. "none" in `tokenSource` with no `apiKeySource` means not logged in. */
    readonly account: {
      readonly tokenSource: string | null;
      readonly apiKeySource: string | null;
      readonly email: string | null;
    } | null;
    readonly loggedIn: boolean | null;
    readonly commands: readonly SlashCommand[];
    readonly models: readonly ModelOffer[];
  };
  /** The process and all it started are gone. */
  "run:end": {
    readonly reason: RunEndReason;
    readonly code: number | null;
    readonly signal: string | null;
    readonly message?: string;
  };
  "run:error": { readonly code: string; readonly message: string };
  /** `reason` when Lodge itself asked: idle for too long, or a new run is needed for trust to act. */
  "stop:requested": { readonly scope: "turn" | "run"; readonly reason?: "idle" | "trust" };
  /** One `assistant` line: one block, usually. `messageId` joins the blocks of a message and its deltas. */
  content: {
    readonly messageId: string;
    readonly blocks: readonly ContentBlock[];
    readonly usage: TokenUsage | null;
    readonly model: string | null;
    readonly parentToolUseId: string | null;
    readonly stopReason?: string;
    /** The CLI's own words in the model's place (API errors, local commands). */
    readonly synthetic?: true;
    readonly error?: string;
    readonly subagentType?: string;
    readonly supersedes?: readonly string[];
  };
  /** One `user` line with tool results. `detail` is the CLI's structured tool_use_result. */
  result: {
    readonly blocks: readonly ToolResultBlock[];
    readonly parentToolUseId: string | null;
    readonly detail?: unknown;
  };
  /** The CLI's `init`: a turn began, ours or its own. */
  "turn:start": {
    readonly resumeId: string;
    readonly model: string | null;
    readonly permissionMode: PermissionMode | null;
  };
  /** The CLI's `result`. `costUsd` and `modelUsage` accumulate over the process, `usage` is the turn's. */
  "turn:end": {
    readonly subtype: string;
    readonly isError: boolean;
    readonly usage: TokenUsage;
    readonly durationMs: number;
    readonly costUsd: number;
    readonly modelUsage: Readonly<Record<string, ModelUsage>>;
    readonly numTurns: number;
    readonly result: Text | null;
    readonly terminalReason: string | null;
    readonly apiErrorStatus: number | null;
    readonly errors: readonly string[];
    readonly permissionDenials: number;
    readonly compact: boolean;
    readonly origin: string | null;
  };
  "input:queued": {
    readonly inputId: string;
    readonly text: Text;
    readonly contentBlocks: readonly unknown[];
    readonly deliver: "queue" | "steer";
    /** An edited or moved input stands in the place of this one, which is cancelled next. */
    readonly replaces?: string;
    /** Its place: before this queued input; null: last. Absent: last, or where `replaces` stood. */
    readonly before?: string | null;
  };
  /** Durable in the run's stdin: it will reach the process, once. */
  "input:sent": { readonly inputId: string; readonly source: "user" | "schedule" };
  /** The CLI echoed it. `merged`: echoed without a timestamp (joined to another, or a dropped duplicate). */
  "input:taken": { readonly inputId: string; readonly merged: boolean };
  "input:cancelled": {
    readonly inputId: string;
    readonly reason: "withdrawn" | "replaced" | "stopped" | "lost";
  };
  "task:started": {
    readonly taskId: string;
    readonly taskType: TaskType;
    readonly toolUseId: string | null;
    readonly description: string;
    readonly subagentType?: string;
  };
  "task:updated": {
    readonly taskId: string;
    readonly status?: TaskStatus;
    readonly backgrounded?: boolean;
    readonly description?: string;
    readonly lastToolName?: string;
    readonly totalTokens?: number;
    readonly toolUses?: number;
  };
  "task:notification": {
    readonly taskId: string;
    readonly toolUseId: string | null;
    readonly status: TaskStatus;
    readonly summary: Text;
    readonly outputFile: string | null;
  };
  /** The CLI waits. `requestId` is the CLI's; unique within its run. */
  "permission:requested": {
    readonly requestId: string;
    readonly kind: PromptKind;
    readonly toolName: string;
    readonly displayName: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly suggestions: readonly PermissionUpdate[];
    readonly title: string | null;
    readonly description: string | null;
    readonly blockedPath: string | null;
    readonly reason: string | null;
    readonly reasonType: string | null;
    readonly toolUseId: string | null;
    readonly agentId: string | null;
  };
  /** Terminal, once per (run, request). `answer` is what the CLI is told; null when nobody tells it. */
  "permission:resolved": {
    readonly requestId: string;
    readonly outcome: "allowed" | "denied" | "withdrawn" | "lost" | "expired";
    readonly answer: Readonly<Record<string, unknown>> | null;
    readonly message?: string;
  };
  /** These settings of the session are now so; absent ones are unchanged. */
  "config:changed": {
    readonly permissionMode?: PermissionMode;
    readonly model?: string | null;
    readonly effort?: Effort | null;
    readonly title?: string;
    readonly trust?: boolean;
  };
  limit: {
    readonly kind: "retry" | "rate_limit" | "usage" | "overload";
    readonly status: number | null;
    readonly error: string | null;
    readonly attempt: number | null;
    readonly maxAttempts: number | null;
    /** When it ends, in ms since the epoch; null: not said. */
    readonly endsAt: number | null;
    /** It ends this long after the event's own `at` (the CLI says delays, not moments). */
    readonly delayMs?: number;
  };
  notice: {
    readonly kind: NoticeKind;
    readonly level: NoticeLevel;
    readonly text: Text;
    readonly toolUseId?: string;
    /** The line as parsed JSON, or its bytes' beginning as text: kept, never interpreted. */
    readonly raw?: unknown;
  };
};

export type EventType = keyof EventDataByType;

type EventOf<T extends EventType> = {
  readonly seq: Seq;
  readonly sessionId: SessionId;
  readonly runId: RunId | null;
  /** ms since the epoch, the api's clock (lines: the runner's, when it saw them). */
  readonly at: number;
  readonly type: T;
  readonly source: EventSource;
  readonly by: Author | null;
  readonly inferred?: true;
  /** Characters the store cannot hold (NUL, lone surrogates) were replaced by U+FFFD. */
  readonly sanitised?: true;
  readonly data: EventDataByType[T];
};

export type SessionEvent = { [T in EventType]: EventOf<T> }[EventType];
export type EventOfType<T extends EventType> = Extract<SessionEvent, { type: T }>;

type DraftOf<T extends EventType> = {
  readonly type: T;
  readonly data: EventDataByType[T];
  readonly source: EventSource;
  readonly runId: RunId | null;
  readonly by?: Author | null;
  readonly at?: number;
  readonly inferred?: true;
};
/** An event before the log has numbered it. */
export type EventDraft = { [T in EventType]: DraftOf<T> }[EventType];

const EVENT_TYPE_RECORD: Record<EventType, true> = {
  "run:start": true,
  "run:ready": true,
  "run:end": true,
  "run:error": true,
  "stop:requested": true,
  content: true,
  result: true,
  "turn:start": true,
  "turn:end": true,
  "input:queued": true,
  "input:sent": true,
  "input:taken": true,
  "input:cancelled": true,
  "task:started": true,
  "task:updated": true,
  "task:notification": true,
  "permission:requested": true,
  "permission:resolved": true,
  "config:changed": true,
  limit: true,
  notice: true,
};
/** Every event type, in the order of the documentation. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TYPE_RECORD) as EventType[];
