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
};
export type ToolRow = RowBase & {
  readonly kind: "tool";
  readonly toolUseId: string;
  /** null: the call is further back than what is loaded. */
  readonly name: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResult | null;
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
};
export type LimitRow = RowBase & {
  readonly kind: "limit";
  readonly limit: EventDataByType["limit"];
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
