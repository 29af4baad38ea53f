/**
 * The storage port on Postgres: one writer, a few readers. Made by whoever holds the lease.
 */
import type { SessionEvent, SessionId, SessionState } from "@lodge/protocol";
import type { Batch, Blob, EventStorageAdapter, RawLine, RunProgress } from "@lodge/session";
import { openPool, type Sql } from "./database.ts";
import * as reads from "./event-reads.ts";
import { EventWriter, type WriteTrouble } from "./event-writer.ts";
import { WriteConnection, type WriteDeadlines } from "./write-connection.ts";

type DurableListener = Parameters<EventStorageAdapter["onDurable"]>[0];

export type PgEventStorageOptions = {
  readonly url: string;
  /** Of the lease: every statement checks that it is still the newest. */
  readonly epoch: number;
  /** Another process has taken over: nothing can be written any more, this process has to end. */
  readonly onFenced: () => void;
  readonly onTrouble?: (trouble: WriteTrouble) => void;
  readonly readers?: number;
  readonly deadlines?: WriteDeadlines;
};

const DEADLINES: WriteDeadlines = { slowMs: 5_000, deadMs: 30_000 };

export class PgEventStorage implements EventStorageAdapter {
  readonly #writer: EventWriter;
  readonly #readers: Sql;
  readonly #durableListeners = new Set<DurableListener>();
  readonly #healthListeners = new Set<(healthy: boolean) => void>();

  constructor(options: PgEventStorageOptions) {
    this.#readers = openPool(options.url, { name: "reader", max: options.readers ?? 4 });
    this.#writer = new EventWriter({
      connection: new WriteConnection({
        url: options.url,
        epoch: options.epoch,
        deadlines: options.deadlines ?? DEADLINES,
        onSlow: () => this.#writer.slow(),
      }),
      onDurable: (sessionId, batches, replaced) => {
        for (const listener of this.#durableListeners) listener(sessionId, batches, replaced);
      },
      onHealth: (healthy) => {
        for (const listener of this.#healthListeners) listener(healthy);
      },
      onFenced: options.onFenced,
      onTrouble: options.onTrouble ?? (() => {}),
    });
  }

  get healthy(): boolean {
    return this.#writer.healthy;
  }

  get backlogBytes(): number {
    return this.#writer.backlogBytes;
  }

  append(batch: Batch): void {
    this.#writer.append(batch);
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Ends after the statement under way; what is still queued is given up, so `flush` first. */
  async close(): Promise<void> {
    await this.#writer.close();
    await this.#readers.end({ timeout: 5 });
  }

  onDurable(listener: DurableListener): () => void {
    this.#durableListeners.add(listener);
    return () => {
      this.#durableListeners.delete(listener);
    };
  }

  onHealth(listener: (healthy: boolean) => void): () => void {
    this.#healthListeners.add(listener);
    return () => {
      this.#healthListeners.delete(listener);
    };
  }

  readFromStorage(
    sessionId: SessionId,
    page: { readonly beforeSeq: number; readonly limit: number },
  ): Promise<readonly SessionEvent[]> {
    return reads.readBelow(this.#readers, sessionId, page.beforeSeq, page.limit);
  }

  readAfter(sessionId: SessionId, after: number, limit: number): Promise<readonly SessionEvent[]> {
    return reads.readAfter(this.#readers, sessionId, after, limit);
  }

  readMemo(sessionId: SessionId): Promise<SessionState | null> {
    return reads.readMemo(this.#readers, sessionId);
  }

  readProgress(runId: string): Promise<RunProgress | null> {
    return reads.readProgress(this.#readers, runId);
  }

  readBlob(sessionId: SessionId, id: string): Promise<Blob | null> {
    return reads.readBlob(this.#readers, sessionId, id);
  }

  readRaw(runId: string): AsyncIterable<RawLine> {
    return reads.readRaw(this.#readers, runId);
  }

  findInput(sessionId: SessionId, inputId: string): Promise<number | null> {
    return reads.findInput(this.#readers, sessionId, inputId);
  }

  findResolution(sessionId: SessionId, requestId: string): Promise<number | null> {
    return reads.findResolution(this.#readers, sessionId, requestId);
  }
}
