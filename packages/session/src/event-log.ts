/**
 * One session's log in memory: numbers events, folds them, hands them to storage, and shows them
 * once they are durable.
 *
 * Two states, one fold. `state` is the log as appended: decisions are made on it. `shown` is the
 * log as committed: viewers see nothing else. [A2]
 *
 * Deltas travel the same way as events: one appended after an event is shown after that event. [D1]
 */
import {
  applyDelta,
  applyEvent,
  dropPartial,
  fitEvent,
  fold,
  summarise,
  type BlobSource,
  type Delta,
  type EventDraft,
  type PartialMessage,
  type Seq,
  type SessionEvent,
  type SessionId,
  type SessionState,
  type SessionSummary,
} from "@lodge/protocol";
import type {
  Blob,
  EventStorageAdapter,
  LineOrigin,
  RawLine,
  RunProgress,
} from "./event-storage.ts";

/** The window of events kept in memory: by count and by (estimated) size. */
export const WINDOW_EVENTS = 2_000;
export const WINDOW_BYTES = 4 * 1024 * 1024;
const MEMO_EVERY = 300;
const MEMO_AT_REST = 20;

export type LogEffects = {
  readonly storage: EventStorageAdapter;
  readonly now: () => number;
  /** Content hash, hexadecimal. */
  readonly hash: (content: string) => string;
  readonly blobBytes: (blob: BlobSource) => Uint8Array;
};

/** What a viewer is fed, in order. */
export type FeedItem =
  | { readonly kind: "event"; readonly event: SessionEvent }
  | { readonly kind: "delta"; readonly delta: Delta };
export type FeedListener = (items: readonly FeedItem[]) => void;

export type AppendOptions = {
  readonly origin?: LineOrigin;
  readonly raw?: readonly RawLine[];
  readonly progress?: RunProgress;
};

type Pending = {
  readonly events: readonly SessionEvent[];
  readonly deltas: Delta[];
  /** The fold up to and including this batch. */
  readonly stateAfter: SessionState;
  readonly summary: SessionSummary | null;
  readonly progress: RunProgress | null;
};
type Waiter = { readonly seq: Seq; readonly resolve: () => void };

export class EventLog {
  readonly sessionId: SessionId;
  readonly #effects: LogEffects;
  #state: SessionState;
  #shown: SessionState;
  #partial: PartialMessage | null = null;
  #summary: SessionSummary;
  #lastMemoSeq: Seq;
  readonly #pending: Pending[] = [];
  readonly #window: SessionEvent[] = [];
  readonly #windowSizes: number[] = [];
  #windowStart = 0;
  #windowBytes = 0;
  readonly #listeners = new Set<FeedListener>();
  #waiters: Waiter[] = [];
  #settling: Array<() => void> = [];
  /** Told when lines became durable: the spool may let go of them. */
  onProgress: ((progress: RunProgress) => void) | null = null;
  /** Told when a committed summary differs from the last one told. */
  onSummary: ((summary: SessionSummary) => void) | null = null;

  /** `state` is the fold of everything durable so far. */
  constructor(sessionId: SessionId, state: SessionState, effects: LogEffects) {
    this.sessionId = sessionId;
    this.#effects = effects;
    this.#state = state;
    this.#shown = state;
    this.#summary = summarise(state);
    this.#lastMemoSeq = state.seq;
  }

  get state(): SessionState {
    return this.#state;
  }
  get shown(): SessionState {
    return this.#shown;
  }
  /** The message being written, as far as it has been shown. */
  get partial(): PartialMessage | null {
    return this.#partial;
  }
  get settled(): boolean {
    return this.#pending.length === 0;
  }
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Number the drafts, fold them, queue them as one batch. Synchronous; never throws for a healthy draft. */
  append(drafts: readonly EventDraft[], options: AppendOptions = {}): readonly SessionEvent[] {
    const events: SessionEvent[] = [];
    const blobs: Blob[] = [];
    let state = this.#state;
    for (const draft of drafts) {
      const numbered = {
        ...draft,
        seq: state.seq + 1,
        sessionId: this.sessionId,
        at: draft.at ?? this.#effects.now(),
        by: draft.by ?? null,
      } as SessionEvent;
      const fitted = fitEvent(numbered, this.#effects.hash);
      for (const blob of fitted.blobs)
        blobs.push({
          id: blob.id,
          mediaType: blob.mediaType,
          bytes: this.#effects.blobBytes(blob),
        });
      events.push(fitted.event);
      state = applyEvent(state, fitted.event);
    }
    this.#state = state;
    const summary = events.length > 0 ? summarise(state) : null;
    const memo = this.#memoDue(events, state) ? state : null;
    this.#pending.push({
      events,
      deltas: [],
      stateAfter: state,
      summary,
      progress: options.progress ?? null,
    });
    this.#effects.storage.append({
      sessionId: this.sessionId,
      events,
      origin: options.origin ?? null,
      raw: options.raw ?? [],
      blobs,
      progress: options.progress ?? null,
      summary,
      memo,
    });
    return events;
  }

  /** Show a delta after everything appended so far. */
  publishDelta(delta: Delta): void {
    const last = this.#pending.at(-1);
    if (last) last.deltas.push(delta);
    else this.#tell([{ kind: "delta", delta }]);
  }

  /**
   * Storage says that the oldest `batches` of this session are durable; `replaced` are events it
   * refused, as the notices that stand in their place.
   */
  becameDurable(batches: number, replaced: readonly SessionEvent[] = []): void {
    if (replaced.length > 0) this.#replace(replaced);
    const done = this.#pending.splice(0, batches);
    const items: FeedItem[] = [];
    let progress: RunProgress | null = null;
    for (const batch of done) {
      for (const event of batch.events) {
        this.#remember(event);
        items.push({ kind: "event", event });
      }
      for (const delta of batch.deltas) items.push({ kind: "delta", delta });
      this.#shown = batch.stateAfter;
      progress = batch.progress ?? progress;
    }
    if (progress) this.onProgress?.(progress);
    const seq = this.#shown.seq;
    const ready = this.#waiters.filter((waiter) => waiter.seq <= seq);
    if (ready.length > 0) this.#waiters = this.#waiters.filter((waiter) => waiter.seq > seq);
    for (const waiter of ready) waiter.resolve();
    if (this.settled) for (const resolve of this.#settling.splice(0)) resolve();
    this.#tell(items);
    this.#tellSummary(done.findLast((batch) => batch.summary !== null)?.summary ?? null);
  }

  /** Fold again what was folded with events that are not in the log. */
  #replace(replaced: readonly SessionEvent[]): void {
    const bySeq = new Map(replaced.map((event) => [event.seq, event]));
    let state = this.#shown;
    for (const [index, batch] of this.#pending.entries()) {
      const events = batch.events.map((event) => bySeq.get(event.seq) ?? event);
      state = fold(events, state);
      this.#pending[index] = {
        ...batch,
        events,
        stateAfter: state,
        summary: batch.summary && summarise(state),
      };
    }
    this.#state = state;
  }

  whenDurable(seq: Seq): Promise<void> {
    if (seq <= this.#shown.seq) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ seq, resolve }));
  }

  /** Everything appended so far, events or not, is durable. */
  whenSettled(): Promise<void> {
    if (this.settled) return Promise.resolve();
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Durable events with `after < seq`, oldest first, at most `limit`. */
  async after(after: Seq, limit: number): Promise<readonly SessionEvent[]> {
    const head = this.#shown.seq;
    if (after >= head) return [];
    const first = this.#window[this.#windowStart]?.seq;
    if (first !== undefined && after + 1 >= first) {
      const from = this.#windowStart + after + 1 - first;
      return this.#window.slice(from, from + limit);
    }
    const events = await this.#effects.storage.readAfter(this.sessionId, after, limit);
    // What was committed during the read is shown in its own turn.
    return events.filter((event) => event.seq <= head);
  }

  async at(seq: Seq): Promise<SessionEvent | null> {
    return (await this.after(seq - 1, 1))[0] ?? null;
  }

  #memoDue(events: readonly SessionEvent[], state: SessionState): boolean {
    const since = state.seq - this.#lastMemoSeq;
    const atRest = events.some((event) => event.type === "turn:end" || event.type === "run:end");
    if (since < (atRest ? MEMO_AT_REST : MEMO_EVERY)) return false;
    this.#lastMemoSeq = state.seq;
    return true;
  }

  #remember(event: SessionEvent): void {
    const size = estimateBytes(event);
    this.#window.push(event);
    this.#windowSizes.push(size);
    this.#windowBytes += size;
    while (
      this.#inWindow() > 1 &&
      (this.#inWindow() > WINDOW_EVENTS || this.#windowBytes > WINDOW_BYTES)
    ) {
      this.#windowBytes -= this.#windowSizes[this.#windowStart] ?? 0;
      this.#windowStart++;
    }
    // Cut off in slabs: shifting a long array for every event would make appending quadratic.
    if (this.#windowStart >= 128) {
      this.#window.splice(0, this.#windowStart);
      this.#windowSizes.splice(0, this.#windowStart);
      this.#windowStart = 0;
    }
  }

  #inWindow(): number {
    return this.#window.length - this.#windowStart;
  }

  #tell(items: readonly FeedItem[]): void {
    if (items.length === 0) return;
    for (const item of items) {
      if (item.kind === "event") this.#partial = dropPartial(this.#partial, item.event);
      else {
        const next = applyDelta(this.#partial, item.delta);
        // Without its beginning a message is not shown: its blocks come whole with their events.
        if (next !== "hole") this.#partial = next;
      }
    }
    for (const listener of this.#listeners) listener(items);
  }

  #tellSummary(summary: SessionSummary | null): void {
    if (!summary) return;
    const before = this.#summary;
    this.#summary = summary;
    if (!this.onSummary) return;
    const { head: _h, lastEventAt: _l, costUsd: _c, ...now } = summary;
    if (Object.entries(now).some(([key, value]) => before[key as keyof SessionSummary] !== value))
      this.onSummary(summary);
  }
}

/** A cheap guess, good enough to bound memory: strings dominate, and they are counted. */
function estimateBytes(value: unknown): number {
  if (typeof value === "string") return value.length * 2 + 16;
  if (typeof value !== "object" || value === null) return 16;
  let size = 32;
  for (const item of Object.values(value)) size += estimateBytes(item);
  return size;
}
