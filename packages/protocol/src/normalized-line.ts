/** What one line of the CLI means. */
import type { EventDraft } from "./event.ts";

/** The host's part in a control conversation, told apart from events: nobody folds these. */
export type ControlReply = {
  readonly requestId: string;
  readonly ok: boolean;
  readonly error: string | null;
  readonly response: Readonly<Record<string, unknown>> | null;
  /** Prompts still open, as a repeated `initialize` lists them: whole control_request messages. */
  readonly pendingPrompts: readonly string[];
};

export type NormalizedLine = {
  /** Drafts without `at`: the line's own time is put in by the caller. */
  readonly events: readonly EventDraft[];
  /** A stream_event, for the partial message. */
  readonly stream: StreamPiece | null;
  /** An answer to a control request of ours. */
  readonly reply: ControlReply | null;
  /** Lines the host must write back at once (an error reply to an unknown control request). */
  readonly answers: readonly string[];
};

/** What a stream_event line says, top level only (subagents send none). */
export type StreamPiece =
  | { readonly type: "message_start"; readonly messageId: string }
  | {
      readonly type: "block_start";
      readonly block: number;
      readonly kind: "text" | "thinking" | "tool_input" | "other";
      readonly toolName?: string;
    }
  | { readonly type: "block_delta"; readonly block: number; readonly text: string }
  | { readonly type: "block_stop"; readonly block: number }
  | { readonly type: "message_stop" };
