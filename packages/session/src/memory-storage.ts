/**
 * The storage port in memory: the Postgres store's twin, for tests. Same order, same keys, same
 * refusals (one contract suite holds both), and a test decides when things become durable.
 */
import {
  FOLD_VERSION,
  type RunId,
  type Seq,
  type SessionEvent,
  type SessionId,
  type SessionState,
  type SessionSummary,
} from "@lodge/protocol";
import type { Batch, Blob, EventStorageAdapter, RawLine, RunProgress } from "./event-storage.ts";
import { poisonNotice } from "./poison.ts";

/** What survives a crash of the process. */
class DurableData {
  readonly logs = new Map<SessionId, SessionEvent[]>();
  /** Uniqueness keys → seq. */
  readonly keys = new Map<string, Seq>();
  readonly raw = new Map<RunId, Map<string, RawLine>>();
  readonly blobs = new Map<string, Blob>();
  readonly progress = new Map<RunId, RunProgress>();
  readonly summaries = new Map<SessionId, SessionSummary>();
  readonly memos = new Map<SessionId, { version: number; state: SessionState }>();
}

type Queued = { readonly batch: Batch; readonly size: number };
type Waiter = {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

export class MemoryEventStorage implements EventStorageAdapter {
  readonly #data: DurableData;
  #queue: Queued[] = [];
  #appended = 0;
  #finished = 0;
  #backlog = 0;
  #held = false;
  #healthy = true;
  #closed = false;
  #scheduled = false;
  readonly #stuck = new Set<SessionId>();
  readonly #durableListeners = new Set<Parameters<EventStorageAdapter["onDurable"]>[0]>();
  readonly #healthListeners = new Set<(healthy: boolean) => void>();
  #waiters: Waiter[] = [];

  constructor(data: DurableData = new DurableData()) {
    this.#data = data;
  }

  // ---- for tests

  /** Nothing becomes durable until `release`. */
  hold(): void {
    this.#held = true;
  }

  /** Make the oldest `batches` durable now and go on holding; without a number: all, and hold no longer. */
  release(batches?: number): void {
    if (batches === undefined) this.#held = false;
    this.#commit(batches ?? Number.POSITIVE_INFINITY);
  }

  /** As if Postgres were gone: unhealthy, nothing becomes durable. */
  fail(): void {
    this.#setHealth(false);
  }

  recover(): void {
    this.#setHealth(true);
    this.#schedule();
  }

  /** The process dies: what was not durable is lost. Returns what the next process finds. */
  crash(): MemoryEventStorage {
    this.close();
    return new MemoryEventStorage(this.#data);
  }

  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#backlog = 0;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(new Error("the store was closed"));
  }

  summaryOf(sessionId: SessionId): SessionSummary | null {
    return this.#data.summaries.get(sessionId) ?? null;
  }

  /** Store the memo as one of another version of the fold. */
  setMemoVersion(sessionId: SessionId, version: number): void {
    const memo = this.#data.memos.get(sessionId);
    if (memo) memo.version = version;
  }

  // ---- the port

  get healthy(): boolean {
    return this.#healthy;
  }

  get backlogBytes(): number {
    return this.#backlog;
  }

  append(batch: Batch): void {
    if (this.#closed) return;
    const size = sizeOf(batch);
    this.#appended++;
    this.#backlog += size;
    this.#queue.push({ batch, size });
    this.#schedule();
  }

  onDurable(listener: Parameters<EventStorageAdapter["onDurable"]>[0]): () => void {
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

  flush(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the store was closed"));
    if (this.#finished === this.#appended) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ until: this.#appended, resolve, reject });
    });
  }

  async readFromStorage(
    sessionId: SessionId,
    page: { readonly beforeSeq: Seq; readonly limit: number },
  ): Promise<readonly SessionEvent[]> {
    const below = (this.#data.logs.get(sessionId) ?? []).filter((e) => e.seq < page.beforeSeq);
    return page.limit > 0 ? below.slice(-page.limit) : [];
  }

  async readAfter(
    sessionId: SessionId,
    after: Seq,
    limit: number,
  ): Promise<readonly SessionEvent[]> {
    const log = this.#data.logs.get(sessionId) ?? [];
    return log.filter((event) => event.seq > after).slice(0, limit);
  }

  async readMemo(sessionId: SessionId): Promise<SessionState | null> {
    const memo = this.#data.memos.get(sessionId);
    return memo?.version === FOLD_VERSION ? memo.state : null;
  }

  async readProgress(runId: RunId): Promise<RunProgress | null> {
    return this.#data.progress.get(runId) ?? null;
  }

  async readBlob(sessionId: SessionId, id: string): Promise<Blob | null> {
    return this.#data.blobs.get(`${sessionId} ${id}`) ?? null;
  }

  async *readRaw(runId: RunId): AsyncIterable<RawLine> {
    const lines = [...(this.#data.raw.get(runId)?.values() ?? [])];
    const streams = (["in", "out", "err"] as const).map((dir) =>
      lines.filter((line) => line.dir === dir).toSorted((a, b) => a.line - b.line),
    );
    for (;;) {
      const next = streams
        .filter((stream) => stream.length > 0)
        .toSorted((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0))[0];
      const line = next?.shift();
      if (!line) return;
      yield line;
    }
  }

  async findInput(sessionId: SessionId, inputId: string): Promise<Seq | null> {
    return this.#data.keys.get(inputKey(sessionId, inputId)) ?? null;
  }

  async findResolution(sessionId: SessionId, requestId: string): Promise<Seq | null> {
    const found = (this.#data.logs.get(sessionId) ?? []).findLast(
      (event) => event.type === "permission:resolved" && event.data.requestId === requestId,
    );
    return found?.seq ?? null;
  }

  // ---- becoming durable

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Never inside `append`: whoever appends has not finished its own step.
    void Promise.resolve().then(() => {
      this.#scheduled = false;
      if (!this.#held) this.#commit(Number.POSITIVE_INFINITY);
    });
  }

  #commit(limit: number): void {
    if (!this.#healthy || this.#closed) return;
    const durable = new Map<SessionId, { batches: number; replaced: SessionEvent[] }>();
    for (const { batch, size } of this.#queue.splice(0, limit)) {
      this.#finished++;
      this.#backlog -= size;
      const replaced = this.#write(batch);
      if (!replaced) continue;
      const told = durable.get(batch.sessionId) ?? { batches: 0, replaced: [] };
      told.batches++;
      told.replaced.push(...replaced);
      durable.set(batch.sessionId, told);
    }
    for (const [sessionId, { batches, replaced }] of durable)
      for (const listener of this.#durableListeners) listener(sessionId, batches, replaced);
    const done = this.#waiters.filter((waiter) => waiter.until <= this.#finished);
    this.#waiters = this.#waiters.filter((waiter) => waiter.until > this.#finished);
    for (const waiter of done)
      if (this.#stuck.size === 0) waiter.resolve();
      else waiter.reject(new Error(`stuck: ${[...this.#stuck].join(", ")}`));
  }

  /** The events that had to be replaced; null: the session is stuck. */
  #write(batch: Batch): readonly SessionEvent[] | null {
    if (this.#stuck.has(batch.sessionId)) return null;
    const data = this.#data;
    const log = data.logs.get(batch.sessionId) ?? [];
    const head = log.at(-1)?.seq ?? 0;
    const added: SessionEvent[] = [];
    const replaced: SessionEvent[] = [];
    const keys = new Map<string, Seq>();
    for (const [n, event] of batch.events.entries()) {
      const present = event.seq > head ? undefined : log.find((other) => other.seq === event.seq);
      if (present) {
        if (sameEvent(present, event)) continue;
        if (isPoisonOf(present, event)) {
          replaced.push(present);
          continue;
        }
        this.#stuck.add(batch.sessionId);
        return null;
      }
      const own = keysOf(batch, event, n);
      const taken = own.find((key) => data.keys.has(key) || keys.has(key));
      const reason = taken ? `it is there already (${taken})` : unstorable(event);
      if (reason) {
        const notice = poisonNotice(event, reason);
        replaced.push(notice);
        added.push(notice);
      } else {
        for (const key of own) keys.set(key, event.seq);
        added.push(event);
      }
    }
    data.logs.set(
      batch.sessionId,
      [...log, ...added].toSorted((a, b) => a.seq - b.seq),
    );
    for (const [key, seq] of keys) data.keys.set(key, seq);
    this.#writeRest(batch, replaced.length > 0);
    return replaced;
  }

  #writeRest(batch: Batch, poisoned: boolean): void {
    const data = this.#data;
    for (const line of batch.raw) {
      const lines = data.raw.get(line.runId) ?? new Map<string, RawLine>();
      const key = `${line.dir} ${line.line}`;
      if (!lines.has(key)) lines.set(key, { ...line, bytes: Uint8Array.from(line.bytes) });
      data.raw.set(line.runId, lines);
    }
    for (const blob of batch.blobs) {
      const key = `${batch.sessionId} ${blob.id}`;
      if (!data.blobs.has(key))
        data.blobs.set(key, { ...blob, bytes: Uint8Array.from(blob.bytes) });
    }
    if (batch.progress) {
      const before = data.progress.get(batch.progress.runId);
      if (!before || before.done.line <= batch.progress.done.line)
        data.progress.set(batch.progress.runId, batch.progress);
    }
    if (batch.summary) {
      const before = data.summaries.get(batch.sessionId);
      if (!before || before.head <= batch.summary.head)
        data.summaries.set(batch.sessionId, batch.summary);
    }
    // A memo is a fold of the events as they were meant: not of those that had to be replaced.
    if (batch.memo && !poisoned)
      data.memos.set(batch.sessionId, { version: FOLD_VERSION, state: batch.memo });
  }

  #setHealth(healthy: boolean): void {
    if (this.#healthy === healthy) return;
    this.#healthy = healthy;
    for (const listener of this.#healthListeners) listener(healthy);
  }
}

const inputKey = (sessionId: SessionId, inputId: string) => `input ${sessionId} ${inputId}`;

function keysOf(batch: Batch, event: SessionEvent, n: number): readonly string[] {
  const keys: string[] = [];
  const { origin } = batch;
  if (origin && event.runId === origin.runId) keys.push(`line ${origin.runId} ${origin.line} ${n}`);
  if (event.type === "input:queued") keys.push(inputKey(event.sessionId, event.data.inputId));
  if (event.type === "permission:resolved")
    keys.push(`resolution ${event.runId} ${event.data.requestId}`);
  if (event.type === "run:end") keys.push(`end ${event.runId}`);
  return keys;
}

/** jsonb holds neither NUL nor lone surrogates; and what is no JSON cannot be written at all. */
function unstorable(event: SessionEvent): string | null {
  const bad = (value: unknown): boolean => {
    if (typeof value === "string") return /[\0\p{Cs}]/u.test(value);
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([key, item]) => bad(key) || bad(item));
  };
  try {
    JSON.stringify(event.data);
    return bad(event.data) ? "unsupported Unicode" : null;
  } catch (error) {
    return error instanceof Error ? error.message : "not JSON";
  }
}

function isPoisonOf(present: SessionEvent, event: SessionEvent): boolean {
  return (
    present.type === "notice" &&
    present.data.kind === "poison" &&
    present.at === event.at &&
    present.runId === event.runId
  );
}

function sameEvent(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(b).filter(([, value]) => value !== undefined));
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameEvent(value, right.get(key)))
  );
}

function sizeOf(batch: Batch): number {
  let size = 200;
  for (const event of batch.events) size += 200 + sizeOfEvent(event);
  for (const line of batch.raw) size += line.bytes.length;
  for (const blob of batch.blobs) size += blob.bytes.length;
  return size;
}

function sizeOfEvent(event: SessionEvent): number {
  try {
    return JSON.stringify(event.data).length;
  } catch {
    return 0;
  }
}
