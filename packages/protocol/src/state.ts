/**
 * The fold's result: everything shown about a session. Plain JSON, so that it can be stored as a
 * memo, sent in a snapshot and compared. Bounded: open items in full, closed ones only the last few.
 */
import type {
  Author,
  BlobRef,
  Effort,
  McpServerStatus,
  ModelOffer,
  PermissionMode,
  PermissionUpdate,
  PromptKind,
  RunConfig,
  RunEndReason,
  RunId,
  Seq,
  SlashCommand,
  TaskStatus,
  TaskType,
  TokenUsage,
} from "./event.ts";

/** Bump when the same events would fold to another state: stored memos of older versions are rebuilt. */
export const FOLD_VERSION = 1;
/** How many closed inputs, prompts and tasks the state keeps. */
export const KEEP_CLOSED = 16;

export type SessionStatus = "idle" | "starting" | "streaming" | "stopping";

export type RunState = {
  readonly runId: RunId;
  /** What it was started with, from its run:start. */
  readonly config: RunConfig;
  readonly alive: boolean;
  /** `initialize` was answered: the process listens. */
  readonly ready: boolean;
  /** The first `init` was seen: the transcript exists, `--resume` will find it. */
  readonly initSeen: boolean;
  readonly startedAt: number;
  readonly startSeq: Seq;
  readonly pid: number | null;
  readonly cwd: string | null;
  readonly tools: readonly string[];
  readonly mcpServers: readonly McpServerStatus[];
  readonly loggedIn: boolean | null;
  readonly cliVersion: string | null;
  /** Turns that came to their end in this run: a run that ends with none is a failed start. */
  readonly turns: number;
  readonly end: {
    readonly at: number;
    readonly reason: RunEndReason;
    readonly code: number | null;
    readonly signal: string | null;
    readonly message: string | null;
  } | null;
};

export type TurnState = {
  readonly startedAt: number;
  readonly startSeq: Seq;
  /** The model the CLI named at the start, with its window suffix. */
  readonly model: string | null;
  /** Inputs echoed in this turn. */
  readonly inputIds: readonly string[];
  readonly compacted: boolean;
  readonly interrupted: boolean;
};

export type InputPhase = "queued" | "sent" | "taken" | "done" | "interrupted" | "cancelled";
export type InputState = {
  readonly inputId: string;
  readonly phase: InputPhase;
  readonly deliver: "queue" | "steer";
  readonly queuedSeq: Seq;
  readonly queuedAt: number;
  readonly by: Author | null;
  /** The beginning of the text, at most 200 UTF-16 units, never cut inside a pair. */
  readonly preview: string;
  /** How many content blocks came with the text. */
  readonly attachments: number;
  readonly runId: RunId | null;
  /** seq of the turn:start of the turn that took it. */
  readonly turnSeq: Seq | null;
  readonly cancelReason: "withdrawn" | "replaced" | "stopped" | "lost" | null;
};

export type PromptState = {
  readonly requestId: string;
  readonly runId: RunId;
  readonly seq: Seq;
  readonly at: number;
  readonly kind: PromptKind;
  readonly toolName: string;
  readonly displayName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly suggestions: readonly PermissionUpdate[];
  readonly title: string | null;
  readonly description: string | null;
  readonly blockedPath: string | null;
  readonly reason: string | null;
  readonly toolUseId: string | null;
  readonly agentId: string | null;
};

export type ResolvedPrompt = {
  readonly requestId: string;
  readonly runId: RunId;
  /** seq of the permission:resolved event: its full answer is read from there. */
  readonly seq: Seq;
  readonly outcome: "allowed" | "denied" | "withdrawn" | "lost" | "expired";
  readonly by: Author | null;
};

export type TaskState = {
  readonly taskId: string;
  readonly taskType: TaskType;
  readonly toolUseId: string | null;
  readonly description: string;
  readonly startedAt: number;
  readonly status: TaskStatus;
  /** Foreground Bash sends task_started too: only a backgrounded task outlives its turn. */
  readonly backgrounded: boolean;
  readonly lastToolName: string | null;
};

export type OpenTool = {
  readonly toolUseId: string;
  readonly name: string;
  readonly startedAt: number;
  readonly parentToolUseId: string | null;
  /** The few fields of its input that its result is later read with; most tools have none. */
  readonly input?: Readonly<Record<string, string | number | boolean>>;
};

export type TodoItem = {
  readonly id: string;
  readonly subject: string;
  readonly activeForm: string | null;
  readonly status: "pending" | "in_progress" | "completed" | (string & {});
};

export type PlanOutcome = {
  readonly requestId: string;
  readonly outcome: "pending" | "approved" | "rejected" | "lost";
  /** In full while pending; afterwards its beginning, the event at `seq` has the rest. */
  readonly plan: string | BlobRef | null;
  readonly seq: Seq;
};

export type Wakeup = {
  /** The CLI's id of the job; null: it gave none. */
  readonly id: string | null;
  readonly toolUseId: string;
  readonly kind: "cron" | "wakeup";
  /** The CLI's own words for when (cron expression or delay). */
  readonly when: string;
  readonly recurring: boolean;
};

export type UsageState = {
  /** Sums over every turn of the session. */
  readonly total: TokenUsage;
  /** Cost of all runs together: each run's counter starts at 0 again. */
  readonly costUsd: number;
  /** Tokens of the context at the last top-level API call, and what the model can hold. */
  readonly contextTokens: number;
  readonly contextWindow: number | null;
  readonly lastTurn: TokenUsage | null;
  readonly lastTurnMs: number | null;
};

export type LimitState = {
  readonly kind: "retry" | "rate_limit" | "usage" | "overload";
  readonly status: number | null;
  readonly error: string | null;
  readonly attempt: number | null;
  readonly maxAttempts: number | null;
  readonly since: number;
  readonly endsAt: number | null;
};

export type ErrorState = {
  readonly at: number;
  readonly seq: Seq;
  readonly code: string;
  readonly message: string;
};

export type SessionConfig = {
  readonly permissionMode: PermissionMode;
  readonly model: string | null;
  readonly effort: Effort | null;
  readonly title: string | null;
  readonly trust: boolean;
};

export type SessionState = {
  /** The last event folded; 0: none. */
  readonly seq: Seq;
  readonly at: number;
  /** The run that is alive, or the last one that was. */
  readonly run: RunState | null;
  readonly turn: TurnState | null;
  /** An unanswered stop; cleared by the end of the turn (scope turn) or of the run. */
  readonly stop: {
    readonly scope: "turn" | "run";
    readonly at: number;
    readonly seq: Seq;
    readonly reason: "idle" | "trust" | null;
  } | null;
  /**
   * What a person changed since the present run started, by the seq of the change: the process is
   * to be told, under a key made of that seq. Emptied by run:start.
   */
  readonly configChanges: Readonly<Partial<Record<"permissionMode" | "model" | "effort", Seq>>>;
  /** After a stop or the end of a run the queue waits for a person: it moves again with the next input:queued. */
  readonly queueHeld: boolean;
  /** Open inputs in order, after the last KEEP_CLOSED closed ones. */
  readonly inputs: readonly InputState[];
  readonly prompts: readonly PromptState[];
  readonly resolved: readonly ResolvedPrompt[];
  readonly tasks: readonly TaskState[];
  readonly openTools: readonly OpenTool[];
  readonly todos: readonly TodoItem[];
  readonly plans: readonly PlanOutcome[];
  readonly wakeups: readonly Wakeup[];
  readonly compacting: boolean;
  /** What the last top-level content block was, for `activity`. */
  readonly lastBlock: "text" | "thinking" | "tool_use" | null;
  readonly usage: UsageState;
  /** Cost of the present run, as its last result said. */
  readonly runCostUsd: number;
  readonly config: SessionConfig;
  /** The model that actually answered last. */
  readonly servingModel: string | null;
  readonly commands: readonly SlashCommand[];
  readonly models: readonly ModelOffer[];
  /** The CLI's session ids that have a transcript, oldest first, the present one last; at most KEEP_CLOSED. */
  readonly resumeIds: readonly string[];
  readonly limit: LimitState | null;
  readonly lastError: ErrorState | null;
  readonly turnCount: number;
  /** Runs in a row that ended by themselves without completing a turn: two stop the loop. */
  readonly failedStarts: number;
};

export type Activity =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  | { readonly kind: "stopping" }
  | { readonly kind: "waiting"; readonly prompts: number }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly toolUseId: string;
      readonly since: number;
    }
  | { readonly kind: "retrying"; readonly limit: LimitState }
  | { readonly kind: "compacting" }
  | { readonly kind: "thinking" }
  | { readonly kind: "responding" };
