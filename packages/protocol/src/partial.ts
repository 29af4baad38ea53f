/**
 * The message being written, on both sides: stream pieces into a partial and its deltas (in the
 * api), deltas into a partial (in a viewer), and when a partial is no longer true.
 *
 * The CLI may give up a message it was streaming and say it again under another id: then the old
 * one is simply never finished. [D7]
 */
import type { Delta, DeltaKind, PartialBlock, PartialMessage } from "./delta.ts";
import type { RunId, SessionEvent, SessionId } from "./event.ts";
import type { StreamPiece } from "./normalized-line.ts";

export type StreamStep = { readonly partial: PartialMessage | null; readonly delta: Delta | null };

/** Fold one piece. A piece of a message whose beginning was not seen is passed over. [D6] */
export function applyStream(
  partial: PartialMessage | null,
  piece: StreamPiece,
  of: { readonly sessionId: SessionId; readonly runId: RunId },
): StreamStep {
  if (piece.type === "message_start")
    return { partial: { runId: of.runId, messageId: piece.messageId, blocks: [] }, delta: null };
  if (partial === null) return { partial, delta: null };
  switch (piece.type) {
    case "block_start": {
      // A kind that is not shown while it is written keeps its place as an empty text.
      const kind: DeltaKind = piece.kind === "other" ? "text" : piece.kind;
      const block: PartialBlock = {
        kind,
        text: "",
        ...(piece.toolName !== undefined && { toolName: piece.toolName }),
      };
      if (piece.block !== partial.blocks.length) return { partial, delta: null };
      return step({ ...partial, blocks: [...partial.blocks, block] }, of.sessionId, {
        block: piece.block,
        text: "",
      });
    }
    case "block_delta": {
      const block = partial.blocks[piece.block];
      if (block === undefined) return { partial, delta: null };
      const blocks = [...partial.blocks];
      blocks[piece.block] = { ...block, text: block.text + piece.text };
      return step({ ...partial, blocks }, of.sessionId, piece);
    }
    // Every block of it is in the log by now: the CLI prints a block whole before it closes it.
    case "message_stop":
      return { partial: null, delta: null };
    case "block_stop":
      return { partial, delta: null };
  }
}

function step(
  partial: PartialMessage,
  sessionId: SessionId,
  piece: { readonly block: number; readonly text: string },
): StreamStep {
  const block = partial.blocks[piece.block];
  if (block === undefined) return { partial, delta: null };
  const offset = block.text.length - piece.text.length;
  return {
    partial,
    delta: deltaOf(partial, sessionId, { index: piece.block, block, offset, text: piece.text }),
  };
}

function deltaOf(
  partial: PartialMessage,
  sessionId: SessionId,
  piece: { index: number; block: PartialBlock; offset: number; text: string },
): Delta {
  return {
    sessionId,
    runId: partial.runId,
    messageId: partial.messageId,
    block: piece.index,
    kind: piece.block.kind,
    offset: piece.offset,
    text: piece.text,
    ...(piece.block.toolName !== undefined && { toolName: piece.block.toolName }),
  };
}

/** The message so far, for a viewer who joins now: one delta per block, from offset 0. */
export const deltasOf = (partial: PartialMessage | null, sessionId: SessionId): readonly Delta[] =>
  partial === null
    ? []
    : partial.blocks.map((block, index) =>
        deltaOf(partial, sessionId, { index, block, offset: 0, text: block.text }),
      );

/**
 * A viewer takes a delta: what it has already is ignored; "hole" when something before it is
 * missing, and it must ask for the message again. [D2]
 */
export function applyDelta(partial: PartialMessage | null, delta: Delta): PartialMessage | "hole" {
  const isSame = partial?.messageId === delta.messageId && partial.runId === delta.runId;
  const blocks = isSame ? partial.blocks : [];
  const had = blocks[delta.block]?.text ?? "";
  if (delta.block > blocks.length || delta.offset > had.length) return "hole";
  const news = delta.text.slice(had.length - delta.offset);
  if (isSame && news === "" && delta.block < blocks.length) return partial;
  const next = [...blocks];
  next[delta.block] = {
    kind: delta.kind,
    text: had + news,
    ...(delta.toolName !== undefined && { toolName: delta.toolName }),
  };
  return { runId: delta.runId, messageId: delta.messageId, blocks: next };
}

/** What an event leaves of the partial: nothing, once another message or the end is in the log. [D3] */
export function dropPartial(
  partial: PartialMessage | null,
  event: SessionEvent,
): PartialMessage | null {
  if (partial === null || event.runId !== partial.runId) return partial;
  switch (event.type) {
    case "turn:end":
    case "run:end":
      return null;
    case "content": {
      const { messageId, parentToolUseId } = event.data;
      return parentToolUseId === null && messageId !== partial.messageId ? null : partial;
    }
    default:
      return partial;
  }
}

/** How many blocks of a message the log has: a viewer hides so many of the partial's first ones. */
export function countLoggedBlocks(events: Iterable<SessionEvent>, messageId: string): number {
  let count = 0;
  for (const event of events)
    if (
      event.type === "content" &&
      event.data.messageId === messageId &&
      event.data.parentToolUseId === null
    )
      count += event.data.blocks.length;
  return count;
}

/** The blocks still being written, without those the log has. [D5] */
export const unloggedBlocks = (partial: PartialMessage, logged: number): readonly PartialBlock[] =>
  partial.blocks.slice(logged);
