/**
 * What waits to be written, by session. Taken in turns: a session with ten thousand batches does
 * not hold up another's one. A session's own batches keep their order.
 */
import type { SessionId } from "@lodge/protocol";

export type Queueable = {
  readonly batch: { readonly sessionId: SessionId };
  readonly events: { readonly length: number };
  readonly bytes: number;
};

export type TakeLimits = { readonly rows: number; readonly bytes: number };

export class WriteQueue<T extends Queueable> {
  /** In turn order: the first is next. */
  readonly #lanes = new Map<SessionId, { items: T[]; next: number }>();
  #rows = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  push(item: T): void {
    const { sessionId } = item.batch;
    const lane = this.#lanes.get(sessionId);
    if (lane) lane.items.push(item);
    else this.#lanes.set(sessionId, { items: [item], next: 0 });
    this.#rows += rowsOf(item);
    this.#bytes += item.bytes;
  }

  /** Whether there is enough for a whole statement. */
  fills(limits: TakeLimits): boolean {
    return this.#rows >= limits.rows || this.#bytes >= limits.bytes;
  }

  /** Whole batches up to the limits, and at least one; empty when nothing waits. */
  take(limits: TakeLimits): T[] {
    const taken: T[] = [];
    let rows = 0;
    let bytes = 0;
    for (;;) {
      const first = this.#lanes.entries().next();
      if (first.done) return taken;
      const [sessionId, lane] = first.value;
      const item = lane.items[lane.next];
      if (!item) throw new Error("an empty lane");
      rows += rowsOf(item);
      bytes += item.bytes;
      if (taken.length > 0 && (rows > limits.rows || bytes > limits.bytes)) return taken;
      taken.push(item);
      this.#rows -= rowsOf(item);
      this.#bytes -= item.bytes;
      // To the end of the turn order, or out of it.
      this.#lanes.delete(sessionId);
      lane.next++;
      if (lane.next === lane.items.length) continue;
      if (lane.next >= 1024) {
        lane.items.splice(0, lane.next);
        lane.next = 0;
      }
      this.#lanes.set(sessionId, lane);
    }
  }

  /** Take out all that waits of one session. */
  drop(sessionId: SessionId): T[] {
    const lane = this.#lanes.get(sessionId);
    if (!lane) return [];
    this.#lanes.delete(sessionId);
    const items = lane.items.slice(lane.next);
    for (const item of items) {
      this.#rows -= rowsOf(item);
      this.#bytes -= item.bytes;
    }
    return items;
  }
}

const rowsOf = (item: Queueable): number => Math.max(1, item.events.length);
