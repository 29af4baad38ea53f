/**
 * One viewer of one session: decides what the viewer is sent next. Pulled, never pushing: a slow
 * reader costs no memory, it only sees things later.
 *
 *   snapshot ──► catching up (from the log, by cursor) ──► live (from the log's feed)
 *                     ▲                                        │
 *                     └──────── fell too far behind ───────────┘
 */
import {
  deltasOf,
  REPLAY_EVENTS,
  TAIL_EVENTS,
  type Presence,
  type Seq,
  type SseFrame,
} from "@lodge/protocol";
import type { FeedItem, Session } from "@lodge/session";

/** A viewer with more than this waiting for it goes back to reading from the log. */
const MAX_QUEUE = 1_000;
const CHUNK_EVENTS = 200;

export type SessionViewEffects = {
  readonly now: () => number;
  readonly presence: () => Presence;
  /** There may be something to pull. */
  readonly wake: () => void;
};

export class SessionView {
  readonly session: Session;
  readonly #effects: SessionViewEffects;
  readonly #after: Seq;
  #cursor: Seq = 0;
  /** Catching up until here; null: live. */
  #target: Seq | null = null;
  #queue: FeedItem[] = [];
  #unsubscribe: (() => void) | null = null;
  #closed = false;

  /** `after`: the last seq the viewer holds; 0: nothing. */
  constructor(session: Session, after: Seq, effects: SessionViewEffects) {
    this.session = session;
    this.#after = after;
    this.#effects = effects;
  }

  /** The next frames, oldest first; empty: nothing at the moment. */
  async next(): Promise<readonly SseFrame[]> {
    if (this.#closed) return [];
    if (!this.#unsubscribe) return [this.#begin()];
    if (this.#target !== null) {
      const frames = await this.#catchUp(this.#target);
      if (frames.length > 0) return frames;
    }
    const items = this.#queue;
    this.#queue = [];
    const frames: SseFrame[] = [];
    for (const item of items) {
      if (item.kind === "delta") frames.push({ event: "delta", data: item.delta });
      else if (item.event.seq > this.#cursor) {
        this.#cursor = item.event.seq;
        frames.push({ event: "session", data: item.event, id: item.event.seq });
      }
    }
    return frames;
  }

  heartbeat(): SseFrame {
    return {
      event: "heartbeat",
      data: {
        sessionId: this.session.id,
        seq: this.session.log.shown.seq,
        now: this.#effects.now(),
        presence: this.#effects.presence(),
      },
    };
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe?.();
    this.#queue = [];
  }

  #begin(): SseFrame {
    const { log } = this.session;
    const head = log.shown.seq;
    const tail = Math.max(1, head - TAIL_EVENTS + 1);
    const isPast = this.#after > head;
    const isFar = this.#after > 0 && head - this.#after > REPLAY_EVENTS;
    const reset = isPast || isFar;
    const from = reset || this.#after === 0 ? tail : this.#after + 1;
    this.#cursor = from - 1;
    this.#listen();
    return {
      event: "snapshot",
      id: head,
      data: {
        sessionId: this.session.id,
        seq: head,
        state: log.shown,
        from,
        reset,
        now: this.#effects.now(),
        presence: this.#effects.presence(),
      },
    };
  }

  /** From this moment on the feed is collected; what is before it is read from the log. */
  #listen(): void {
    const { log } = this.session;
    this.#target = log.shown.seq;
    this.#queue = deltasOf(log.partial, log.sessionId).map((delta) => ({ kind: "delta", delta }));
    this.#unsubscribe ??= log.subscribe((items) => {
      if (this.#queue.length + items.length > MAX_QUEUE) this.#fallBehind();
      else this.#queue.push(...items);
      this.#effects.wake();
    });
  }

  /** Told from inside the feed, when the log shows these items already: reading by cursor finds them. */
  #fallBehind(): void {
    this.#listen();
  }

  async #catchUp(target: Seq): Promise<readonly SseFrame[]> {
    const events =
      this.#cursor < target ? await this.session.log.after(this.#cursor, CHUNK_EVENTS) : [];
    const due = events.filter((event) => event.seq <= target);
    const last = due.at(-1);
    if (last === undefined || last.seq >= target) {
      // A fall behind during the read has set another target.
      if (this.#target === target) this.#target = null;
    }
    if (last) this.#cursor = last.seq;
    return due.map((event) => ({ event: "session", data: event, id: event.seq }));
  }
}
