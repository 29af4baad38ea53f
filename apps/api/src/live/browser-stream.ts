/**
 * The one stream of a browser: the session list's changes and any number of watched sessions, over
 * one connection. Cursors live in the client; a watch names the one it has.
 */
import type { SessionListItem, SseFrame } from "@lodge/protocol";
import type { FrameSource } from "./sse-response.ts";
import type { SessionView } from "./session-view.ts";

export class BrowserStream implements FrameSource {
  readonly #streamId: string;
  readonly #now: () => number;
  readonly #wake: () => void;
  readonly #views = new Map<string, SessionView>();
  /** The newest row of each changed session: a slow reader gets the last one only. */
  readonly #rows = new Map<string, SessionListItem>();
  readonly #unsubscribe: () => void;
  #greeted = false;
  #turn = 0;

  constructor(options: {
    readonly streamId: string;
    readonly now: () => number;
    readonly wake: () => void;
    readonly subscribeList: (listener: (item: SessionListItem) => void) => () => void;
  }) {
    this.#streamId = options.streamId;
    this.#now = options.now;
    this.#wake = options.wake;
    this.#unsubscribe = options.subscribeList((item) => {
      this.#rows.set(item.id, item);
      this.#wake();
    });
  }

  watch(view: SessionView): void {
    this.unwatch(view.session.id);
    this.#views.set(view.session.id, view);
    this.#wake();
  }

  unwatch(sessionId: string): void {
    this.#views.get(sessionId)?.close();
    this.#views.delete(sessionId);
  }

  get watching(): readonly string[] {
    return [...this.#views.keys()];
  }

  async next(): Promise<readonly SseFrame[]> {
    if (!this.#greeted) {
      this.#greeted = true;
      return [{ event: "hello", data: { streamId: this.#streamId, now: this.#now() } }];
    }
    if (this.#rows.size > 0) {
      const rows = [...this.#rows.values()];
      this.#rows.clear();
      return rows.map((data) => ({ event: "list", data }));
    }
    // Sessions in turn: a busy one must not hide the others.
    const views = [...this.#views.values()];
    for (let i = 0; i < views.length; i++) {
      const view = views[(this.#turn + i) % views.length];
      const frames = (await view?.next()) ?? [];
      if (frames.length > 0) {
        this.#turn = (this.#turn + i + 1) % views.length;
        return frames;
      }
    }
    return [];
  }

  heartbeats(): readonly SseFrame[] {
    const beats = [...this.#views.values()].map((view) => view.heartbeat());
    // Also without any session the client must see that the stream is alive.
    return beats.length > 0
      ? beats
      : [{ event: "hello", data: { streamId: this.#streamId, now: this.#now() } }];
  }

  close(): void {
    this.#unsubscribe();
    for (const view of this.#views.values()) view.close();
    this.#views.clear();
  }
}
