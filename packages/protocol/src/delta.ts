/**
 * Deltas: pieces of a message still being written. Shown, never numbered, never stored.
 */
import type { RunId, SessionId } from "./event.ts";

export type DeltaKind = "text" | "thinking" | "tool_input";

/**
 * `offset` counts UTF-16 units of the block's text before this piece. A viewer that has more
 * ignores the overlap; one that has less missed a piece and asks again.
 */
export type Delta = {
  readonly sessionId: SessionId;
  readonly runId: RunId;
  readonly messageId: string;
  /** Index of the block in its message, from 0. */
  readonly block: number;
  readonly kind: DeltaKind;
  readonly offset: number;
  readonly text: string;
  /** tool_input only: the tool being called. */
  readonly toolName?: string;
};

export type PartialBlock = {
  readonly kind: DeltaKind;
  readonly text: string;
  readonly toolName?: string;
};
/** The message being written, as far as it has come. */
export type PartialMessage = {
  readonly runId: RunId;
  readonly messageId: string;
  readonly blocks: readonly PartialBlock[];
};
