/**
 * The storage port: where a log is kept beyond memory.
 *
 * Writing is synchronous and never throws, because a log cannot wait in the middle of a fold; what
 * became durable is told by watermark. Reading is asynchronous. Two implementations, one contract
 * suite: Postgres (api) and memory (its twin, for tests).
 */
import type {
  Position,
  RunId,
  Seq,
  SessionEvent,
  SessionId,
  SessionState,
  SessionSummary,
} from "@lodge/protocol";

/** A line as it went over the run's stdio. Kept as bytes; stdout lines that only carry deltas are not kept. */
export type RawLine = {
  readonly runId: RunId;
  readonly dir: "in" | "out" | "err";
  /** From 1, per run and direction. */
  readonly line: number;
  readonly at: number;
  readonly bytes: Uint8Array;
};

/** Where the events of a batch came from: `(runId, line, n)` is unique in the log. */
export type LineOrigin = { readonly runId: RunId; readonly line: number };

export type Blob = { readonly id: string; readonly mediaType: string; readonly bytes: Uint8Array };

/** How far a run's stdout has been read, committed with the events of those lines. */
export type RunProgress = {
  readonly runId: RunId;
  /** Every line up to here is in the log. */
  readonly done: Position;
  /** Where a successor starts reading: earlier than `done` while a message is being streamed, so that its deltas are whole again. */
  readonly replay: Position;
};

/** One indivisible piece of the log: all of it becomes durable, or none. */
export type Batch = {
  readonly sessionId: SessionId;
  /** Consecutive seqs, following what was appended before. May be empty (a raw line without events). */
  readonly events: readonly SessionEvent[];
  readonly origin: LineOrigin | null;
  readonly raw: readonly RawLine[];
  readonly blobs: readonly Blob[];
  readonly progress: RunProgress | null;
  /** Present when the summary changed. */
  readonly summary: SessionSummary | null;
  /** The fold after this batch, now and then. */
  readonly memo: SessionState | null;
};

export type Durable = { readonly sessionId: SessionId; readonly seq: Seq };

export type EventStorageAdapter = {
  /** Queue the batch. Never throws, never blocks. Batches of a session become durable in order. */
  append(batch: Batch): void;
  /** false: the store cannot be written now; acts of people are refused before append. */
  readonly healthy: boolean;
  /** Bytes queued and not yet durable: the reader of lines waits while this is high. */
  readonly backlogBytes: number;
  /**
   * Called after each commit, per session of it, in order; `batches` counts those that became
   * durable. `replaced`: events the store refused, as the notices that stand in the log instead, at
   * the same seqs: whoever folded the originals folds again.
   */
  onDurable(
    listener: (sessionId: SessionId, batches: number, replaced: readonly SessionEvent[]) => void,
  ): () => void;
  onHealth(listener: (healthy: boolean) => void): () => void;
  /**
   * Resolves when everything queued before the call is durable. Rejects when the store is closed
   * first, or when a session of it is stuck (its log and the store's differ: a bug, never repaired
   * by overwriting).
   */
  flush(): Promise<void>;
  /** The newest `limit` events below `beforeSeq`, oldest first. */
  readFromStorage(
    sessionId: SessionId,
    page: { readonly beforeSeq: Seq; readonly limit: number },
  ): Promise<readonly SessionEvent[]>;
  /** Events with `after < seq`, oldest first, at most `limit`. */
  readAfter(sessionId: SessionId, after: Seq, limit: number): Promise<readonly SessionEvent[]>;
  /** The newest usable memo; null: fold from the beginning. */
  readMemo(sessionId: SessionId): Promise<SessionState | null>;
  readProgress(runId: RunId): Promise<RunProgress | null>;
  readBlob(sessionId: SessionId, id: string): Promise<Blob | null>;
  readRaw(runId: RunId): AsyncIterable<RawLine>;
  /** seq of the durable input:queued event of that id: exactly-once for inputs older than the fold remembers. */
  findInput(sessionId: SessionId, inputId: string): Promise<Seq | null>;
  /** seq of the durable permission:resolved event of that request, in any run of the session. */
  findResolution(sessionId: SessionId, requestId: string): Promise<Seq | null>;
};
