/**
 * Server-Sent Events out of frames that are pulled. The only place that holds a stream open.
 *
 * The stream asks for frames when the connection has taken the last ones; a reader that takes
 * nothing for STALL_MS while something waits for it is cut, however little that is. [L3]
 */
import {
  encodeSseFrame,
  HEARTBEAT_SSE_MS,
  type SessionEvent,
  type SseFrame,
} from "@lodge/protocol";

const STALL_MS = 20_000;
const CHECK_MS = 5_000;

export type FrameSource = {
  /** Frames that are ready, oldest first; empty: none. */
  next(): Promise<readonly SseFrame[]>;
  heartbeats(): readonly SseFrame[];
  close(): void;
};
export type SseEffects = {
  readonly now: () => number;
  readonly every: (ms: number, run: () => void) => () => void;
};

/** Frames of the log are encoded once for all their viewers. */
const encoded = new WeakMap<SessionEvent, string>();
function encode(frame: SseFrame, withId: boolean): string {
  if (frame.event !== "session") {
    const { id: _id, ...bare } = frame;
    return encodeSseFrame(withId ? frame : bare);
  }
  let text = encoded.get(frame.data);
  if (text === undefined) {
    text = encodeSseFrame({ event: "session", data: frame.data });
    encoded.set(frame.data, text);
  }
  return withId ? `id: ${frame.data.seq}\n${text}` : text;
}

export class SseConnection {
  readonly response: Response;
  readonly #source: FrameSource;
  readonly #withId: boolean;
  readonly #effects: SseEffects;
  #wake: (() => void) | null = null;
  #woken = false;
  #last: readonly SseFrame[] = [];
  #beatDue = false;
  #closed = false;
  #ended = false;
  /** Since when the reader has something it does not take; null: it takes everything. */
  #offeredAt: number | null = null;
  readonly #stops: Array<() => void> = [];
  readonly #onClosed: () => void;

  constructor(options: {
    readonly source: FrameSource;
    readonly withId: boolean;
    readonly effects: SseEffects;
    readonly onClosed: () => void;
  }) {
    this.#source = options.source;
    this.#withId = options.withId;
    this.#effects = options.effects;
    this.#onClosed = options.onClosed;
    // Whoever never begins to read makes no progress either.
    this.#offeredAt = options.effects.now();
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (c) => {
          controller = c;
        },
        pull: async (c) => {
          this.#offeredAt = null;
          const text = await this.#pull();
          if (text === null) {
            if (!this.#closed) c.close();
            this.close();
            return;
          }
          this.#offeredAt = this.#effects.now();
          c.enqueue(encoder.encode(text));
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
    this.#stops.push(
      options.effects.every(HEARTBEAT_SSE_MS, () => {
        this.#beatDue = true;
        this.wake();
      }),
      options.effects.every(CHECK_MS, () => {
        if (this.#offeredAt === null || this.#effects.now() - this.#offeredAt < STALL_MS) return;
        controller?.error(new Error("the reader makes no progress"));
        this.close();
      }),
    );
    this.response = new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        // Proxies that buffer would hold back what is meant to be seen now.
        "x-accel-buffering": "no",
      },
    });
  }

  /** There may be frames. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Send these last frames and end. */
  end(frames: readonly SseFrame[]): void {
    this.#last = frames;
    this.#ended = true;
    this.wake();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const stop of this.#stops) stop();
    this.#source.close();
    this.#wake?.();
    this.#onClosed();
  }

  /** Waits until there is something to send; null: the end. */
  async #pull(): Promise<string | null> {
    for (;;) {
      if (this.#closed) return null;
      if (this.#ended) {
        const last = this.#last;
        this.#last = [];
        return last.length > 0 ? this.#encode(last) : null;
      }
      this.#woken = false;
      const frames = await this.#source.next();
      if (frames.length > 0) return this.#encode(frames);
      if (this.#beatDue) {
        this.#beatDue = false;
        const beats = this.#source.heartbeats();
        if (beats.length > 0) return this.#encode(beats);
      }
      if (this.#woken) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  #encode(frames: readonly SseFrame[]): string {
    return frames.map((frame) => encode(frame, this.#withId)).join("");
  }
}
