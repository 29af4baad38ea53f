/**
 * A batch made ready for the statement when it is appended: what is queued is text and numbers, and
 * its size is known. Building the statement is then only joining.
 */
import { isUtf8 } from "node:buffer";
import type { Seq, SessionEvent, SessionState, SessionSummary } from "@lodge/protocol";
import { poisonNotice, type Batch } from "@lodge/session";

export type EncodedEvent = {
  readonly event: SessionEvent;
  /** `event.data` as JSON: no newline in it, ever. */
  readonly data: string;
  readonly line: number | null;
  readonly n: number | null;
};

/** Bytes as they travel: as they are where they are text, hexadecimal otherwise; never a newline. */
export type EncodedBytes = { readonly text: string; readonly hex: boolean };

export type EncodedBatch = {
  readonly batch: Batch;
  /** In order; a poisoned one stands as its notice, one that was written before is left out. */
  readonly events: readonly EncodedEvent[];
  readonly raw: Batch["raw"];
  readonly blobs: Batch["blobs"];
  readonly progress: Batch["progress"];
  readonly summary: SessionSummary | null;
  readonly memo: { readonly seq: Seq; readonly json: string } | null;
  /** Notices that stand for events the store refused. */
  readonly replaced: readonly SessionEvent[];
  readonly bytes: number;
};

const ROW_OVERHEAD = 200;

/** Never throws: an event that cannot even be written as JSON is poison already. */
export function encodeBatch(batch: Batch): EncodedBatch {
  const replaced: SessionEvent[] = [];
  let bytes = ROW_OVERHEAD;
  const events = batch.events.map((event, n) => {
    let encoded: EncodedEvent;
    try {
      encoded = encodeEvent(event, batch, n);
    } catch (error) {
      const notice = poisonNotice(event, error instanceof Error ? error.message : "not JSON");
      replaced.push(notice);
      encoded = encodeEvent(notice, batch, n);
    }
    bytes += encoded.data.length + ROW_OVERHEAD;
    return encoded;
  });
  for (const line of batch.raw) bytes += line.bytes.length + ROW_OVERHEAD;
  for (const blob of batch.blobs) bytes += blob.bytes.length + ROW_OVERHEAD;
  const memo = encodeMemo(batch.memo);
  bytes += memo?.json.length ?? 0;
  const { raw, blobs, progress, summary } = batch;
  return { batch, events, raw, blobs, progress, summary, memo, replaced, bytes };
}

function encodeEvent(event: SessionEvent, batch: Batch, n: number): EncodedEvent {
  const ofLine = batch.origin !== null && batch.origin.runId === event.runId;
  return {
    event,
    data: JSON.stringify(event.data),
    line: ofLine ? batch.origin.line : null,
    n: ofLine ? n : null,
  };
}

/** A memo only saves work: one that cannot be written is done without. */
function encodeMemo(state: SessionState | null): EncodedBatch["memo"] {
  if (!state) return null;
  try {
    return { seq: state.seq, json: JSON.stringify(state) };
  } catch {
    return null;
  }
}

/** The notice in the event's place: no origin, because the line may be what is doubled. */
export function encodePoison(event: SessionEvent, reason: string): EncodedEvent {
  const notice = poisonNotice(event, reason);
  return { event: notice, data: JSON.stringify(notice.data), line: null, n: null };
}

export function encodeBytes(bytes: Uint8Array): EncodedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Text can hold neither NUL nor what is not UTF-8; the newline parts one line from the next.
  return isUtf8(buffer) && !buffer.includes(0) && !buffer.includes(10)
    ? { text: buffer.toString("utf8"), hex: false }
    : { text: buffer.toString("hex"), hex: true };
}
