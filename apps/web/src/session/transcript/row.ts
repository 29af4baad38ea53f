/** What a reader sees of a log: rows, each with a key that stays while the log grows. */
import type {
  Author,
  ContentBlock,
  EventDataByType,
  InputPhase,
  NoticeKind,
  NoticeLevel,
  RunEndReason,
  Text,
} from "@lodge/protocol";

type RowBase = { readonly key: string; readonly at: number };

export type InputRow = RowBase & {
  readonly kind: "input";
  readonly inputId: string;
  /** null: its `input:queued` is further back than what is loaded. */
  readonly text: Text | null;
  readonly contentBlocks: readonly unknown[];
  readonly by: Author | null;
  readonly phase: InputPhase;
  readonly cancelReason: EventDataByType["input:cancelled"]["reason"] | null;
  readonly isSteered: boolean;
  readonly isScheduled: boolean;
};
export type TextRow = RowBase & {
  readonly kind: "text";
  readonly messageId: string;
  readonly text: Text;
  /** The CLI's own words in the model's place. */
  readonly isSynthetic: boolean;
  readonly error: string | null;
  readonly isSuperseded: boolean;
};
export type ThinkingRow = RowBase & {
  readonly kind: "thinking";
  readonly messageId: string;
  readonly text: Text;
  readonly isSuperseded: boolean;
};
export type OtherBlockRow = RowBase & { readonly kind: "block"; readonly block: ContentBlock };
export type ToolResult = {
  readonly content: Text | readonly unknown[];
  readonly isError: boolean;
  readonly at: number;
  /** The CLI's structured account of it; null: none. */
  readonly detail: unknown;
};
/** What the CLI told of the task that a call runs as: a subagent, or a command in the background. */
export type ToolTask = {
  readonly status: string;
  readonly isBackground: boolean;
  /** What it is doing at the moment, in the CLI's words. */
  readonly doing: string | null;
  readonly totalTokens: number | null;
  readonly toolUses: number | null;
};
export type ToolAnswer = {
  readonly outcome: EventDataByType["permission:resolved"]["outcome"];
  readonly at: number;
  readonly by: Author | null;
  readonly message: string | null;
  /** What a person changed before it was allowed, or filled in. */
  readonly updatedInput: Readonly<Record<string, unknown>> | null;
};
export type TodoItem = { readonly id: string; readonly subject: string; readonly status: string };
export type ToolRow = RowBase & {
  readonly kind: "tool";
  readonly toolUseId: string;
  /** null: the call is further back than what is loaded. */
  readonly name: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResult | null;
  /** How its prompt was answered; null: it was not asked, or not answered. */
  readonly answer: ToolAnswer | null;
  readonly task: ToolTask | null;
  /** The task list after this call, when it is one that changes the list. */
  readonly todos: readonly TodoItem[] | null;
  /** A person said no. */
  readonly isDenied: boolean;
  /** Its turn or its run ended without a result. */
  readonly isAbandoned: boolean;
  /** What a subagent did under it. */
  readonly children: readonly Row[];
};
export type TurnRow = RowBase & {
  readonly kind: "turn";
  readonly end: EventDataByType["turn:end"];
  /** Cost of this turn alone; null: the turn before is not loaded, so it is not known. */
  readonly costUsd: number | null;
};
export type NoticeRow = RowBase & {
  readonly kind: "notice";
  readonly noticeKind: NoticeKind;
  readonly level: NoticeLevel;
  readonly text: Text;
  /** The line it came from, for those that want to see it. */
  readonly raw: unknown;
};
export type LimitRow = RowBase & {
  readonly kind: "limit";
  /** The latest word of it: one that is said again takes the place of what was said before. */
  readonly limit: EventDataByType["limit"];
  readonly saidAt: number;
  /** Something came after it: the model answers again, or the turn is over. */
  readonly isOver: boolean;
};
export type RunErrorRow = RowBase & {
  readonly kind: "run-error";
  readonly code: string;
  readonly message: string;
};
export type RunStartRow = RowBase & {
  readonly kind: "run-start";
  readonly cwd: string | null;
  readonly isResumed: boolean;
};
export type RunEndRow = RowBase & {
  readonly kind: "run-end";
  readonly reason: RunEndReason;
  readonly code: number | null;
  readonly signal: string | null;
  readonly message: string | null;
};
export type StopRow = RowBase & {
  readonly kind: "stop";
  readonly scope: "turn" | "run";
  readonly reason: "idle" | "trust" | null;
  readonly by: Author | null;
};
export type AnswerRow = RowBase & {
  readonly kind: "answer";
  readonly outcome: EventDataByType["permission:resolved"]["outcome"];
  /** null: the prompt is further back than what is loaded. */
  readonly toolName: string | null;
  readonly promptKind: string | null;
  readonly by: Author | null;
  readonly message: string | null;
};
export type ConfigRow = RowBase & {
  readonly kind: "config";
  readonly change: EventDataByType["config:changed"];
  readonly by: Author | null;
  /** The CLI said so: no person and no part of Lodge changed it. */
  readonly isByClaude: boolean;
};
export type TaskRow = RowBase & {
  readonly kind: "task";
  readonly status: string;
  readonly summary: Text;
};

export type Row =
  | InputRow
  | TextRow
  | ThinkingRow
  | OtherBlockRow
  | ToolRow
  | TurnRow
  | NoticeRow
  | LimitRow
  | RunErrorRow
  | RunStartRow
  | RunEndRow
  | StopRow
  | AnswerRow
  | ConfigRow
  | TaskRow;
