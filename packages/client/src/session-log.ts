/**
 * One session's log as a viewer holds it: the state, the stretch of events it has, and the message
 * still being written. No effects: frames go in, and the answer says whether something is missing.
 *
 *   awaiting a snapshot ── snapshot ──► following ── event missing, delta missing ──► (hole)
 *          ▲                                                                            │
 *          └────────────────────────────── expectSnapshot() ◄───────────────────────────┘
 *
 * Events up to the snapshot's H fill the transcript, their effect is already in its state; the fold
 * ignores them by their seq, so both kinds go the same way here.
 */
import {
  applyDelta,
  applyEvent,
  dropPartial,
  initialState,
  unloggedBlocks,
  type HeartbeatFrame,
  type PartialBlock,
  type PartialMessage,
  type Presence,
  type Seq,
  type SessionEvent,
  type SessionState,
  type SnapshotFrame,
} from "@lodge/protocol";
import type { SessionFrame } from "./frame-source.ts";

/** `hole`: something was missed; nothing is taken any more until the next snapshot. */
export type Taken = "taken" | "ignored" | "hole";

const NOTHING: readonly PartialBlock[] = [];

export class SessionLog {
  #state: SessionState = initialState;
  #events: SessionEvent[] = [];
  #generation = 0;
  #partial: PartialMessage | null = null;
  /** How many blocks the log has of the top-level message it got last. */
  #logged: { readonly messageId: string; readonly blocks: number } | null = null;
  #presence: Presence | null = null;
  #isAwaiting = true;
  #beatsMissed = 0;
  /** The seq that continues the stretch; null before the first snapshot. */
  #next: Seq | null = null;
  /** The head of the snapshot: the first paint is complete once it is held, and stays so. */
  #fillTo: Seq | null = null;
  #isFilled = false;
  /** What the last heartbeat promised, and where we were: no progress by the next one is a hole. */
  #promise: { readonly seq: Seq; readonly cursor: Seq } | null = null;

  get state(): SessionState {
    return this.#state;
  }
  /** Without a gap, oldest first. Only ever appended to within one generation. */
  get events(): readonly SessionEvent[] {
    return this.#events;
  }
  /** Rises when `events` changed in another way than by appending. */
  get generation(): number {
    return this.#generation;
  }
  get partial(): PartialMessage | null {
    return this.#partial;
  }
  /** What of the message being written is not in the log yet. */
  get writing(): readonly PartialBlock[] {
    const partial = this.#partial;
    const logged = this.#logged;
    if (partial === null) return NOTHING;
    return unloggedBlocks(partial, logged?.messageId === partial.messageId ? logged.blocks : 0);
  }
  get presence(): Presence | null {
    return this.#presence;
  }
  /** The last seq of the stretch held; 0: none. */
  get cursor(): Seq {
    return this.#events.at(-1)?.seq ?? 0;
  }
  get isFilled(): boolean {
    return this.#isFilled;
  }
  /** The log begins before what is held. */
  get hasEarlier(): boolean {
    return (this.#events[0]?.seq ?? this.#next ?? 1) > 1;
  }

  /** Whatever comes before the next snapshot belongs to a watch that is over. */
  expectSnapshot(): void {
    this.#isAwaiting = true;
    this.#beatsMissed = 0;
    this.#promise = null;
  }

  take(frame: SessionFrame): Taken {
    if (frame.event === "snapshot") return this.#takeSnapshot(frame.data);
    if (this.#isAwaiting) return frame.event === "heartbeat" ? this.#missSnapshot() : "ignored";
    switch (frame.event) {
      case "session":
        return this.#takeEvent(frame.data);
      case "delta": {
        const partial = applyDelta(this.#partial, frame.data);
        if (partial === "hole") return this.#hole();
        this.#partial = partial;
        return "taken";
      }
      case "heartbeat":
        return this.#takeHeartbeat(frame.data);
    }
  }

  /** Earlier events, oldest first. Those that do not join on to what is held are left out. */
  prepend(events: readonly SessionEvent[]): void {
    const first = this.#events[0]?.seq ?? this.#next;
    if (first === null) return;
    const earlier = events.filter((event) => event.seq < first);
    if (earlier.at(-1)?.seq !== first - 1) return;
    this.#events = [...earlier, ...this.#events];
    this.#generation += 1;
  }

  #takeSnapshot(snapshot: SnapshotFrame): Taken {
    this.#isAwaiting = false;
    this.#promise = null;
    this.#partial = null;
    this.#presence = snapshot.presence;
    this.#fillTo = snapshot.seq;
    const continues = this.#events.length > 0 && snapshot.from <= this.cursor + 1;
    if (snapshot.reset || !continues) {
      if (this.#events.length > 0) this.#generation += 1;
      this.#events = [];
      this.#logged = null;
      this.#next = snapshot.from;
    }
    if (snapshot.reset || snapshot.seq >= this.#state.seq) this.#state = snapshot.state;
    this.#noteFilled();
    return "taken";
  }

  #takeEvent(event: SessionEvent): Taken {
    if (this.#next === null || event.seq < this.#next) return "ignored";
    if (event.seq > this.#next) return this.#hole();
    this.#events.push(event);
    this.#next = event.seq + 1;
    this.#state = applyEvent(this.#state, event);
    this.#partial = dropPartial(this.#partial, event);
    this.#countLogged(event);
    this.#noteFilled();
    return "taken";
  }

  #countLogged(event: SessionEvent): void {
    if (event.type !== "content" || event.data.parentToolUseId !== null) return;
    const { messageId, blocks } = event.data;
    const before = this.#logged?.messageId === messageId ? this.#logged.blocks : 0;
    this.#logged = { messageId, blocks: before + blocks.length };
  }

  #takeHeartbeat(heartbeat: HeartbeatFrame): Taken {
    this.#presence = heartbeat.presence;
    const promise = this.#promise;
    // The beat may overtake what it promises; a whole beat later it may not.
    if (promise !== null && this.cursor < promise.seq && this.cursor === promise.cursor) {
      return this.#hole();
    }
    this.#promise = { seq: heartbeat.seq, cursor: this.cursor };
    return "taken";
  }

  #noteFilled(): void {
    if (this.#fillTo !== null && this.cursor >= this.#fillTo) this.#isFilled = true;
  }

  /** The session beats, but the snapshot that must come first does not come. */
  #missSnapshot(): Taken {
    this.#beatsMissed += 1;
    return this.#beatsMissed < 2 ? "ignored" : this.#hole();
  }

  #hole(): Taken {
    this.expectSnapshot();
    return "hole";
  }
}
