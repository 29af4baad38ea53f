/** The message being written: deltas in, until the log has what they told. */
import type { Delta, PartialBlock, PartialMessage, SessionEvent } from "@lodge/protocol";

export function applyDelta(partial: PartialMessage | null, delta: Delta): PartialMessage | "hole" {
  const isSame = partial?.messageId === delta.messageId && partial.runId === delta.runId;
  const blocks = isSame ? partial.blocks : [];
  const had = blocks[delta.block];
  const length = had?.text.length ?? 0;
  if (delta.offset > length || delta.block > blocks.length) return "hole";
  const news = delta.text.slice(length - delta.offset);
  const block: PartialBlock = {
    kind: delta.kind,
    text: (had?.text ?? "") + news,
    ...(delta.toolName === undefined ? {} : { toolName: delta.toolName }),
  };
  return {
    runId: delta.runId,
    messageId: delta.messageId,
    blocks: [...blocks.slice(0, delta.block), block, ...blocks.slice(delta.block + 1)],
  };
}

export function settlePartial(
  partial: PartialMessage | null,
  event: SessionEvent,
): PartialMessage | null {
  if (partial === null || event.runId !== partial.runId) return partial;
  if (event.type === "turn:end" || event.type === "run:end") return null;
  const isOther =
    event.type === "content" &&
    event.data.parentToolUseId === null &&
    event.data.messageId !== partial.messageId;
  return isOther ? null : partial;
}
