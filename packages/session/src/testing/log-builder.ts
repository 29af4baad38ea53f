/** Events and batches for storage tests: numbered as a log would, about nothing in particular. */
import {
  encodeUtf8,
  type EventDataByType,
  type EventType,
  type RunId,
  type SessionEvent,
  type SessionId,
  type SessionState,
  type SessionSummary,
} from "@lodge/protocol";
import type { Batch, RawLine } from "../event-storage.ts";

let counter = 0;
/** A UUID, another one each time. */
export function freshId(): string {
  counter++;
  return `00000000-0000-4000-8000-${counter.toString(16).padStart(12, "0")}`;
}

export class LogBuilder {
  readonly sessionId: SessionId;
  readonly runId: RunId;
  #seq: number;

  constructor(sessionId: SessionId, seq = 0, runId: RunId = freshId()) {
    this.sessionId = sessionId;
    this.runId = runId;
    this.#seq = seq;
  }

  get head(): number {
    return this.#seq;
  }

  event<T extends EventType>(
    type: T,
    data: EventDataByType[T],
    rest: Partial<
      Pick<SessionEvent, "runId" | "by" | "at" | "source" | "inferred" | "sanitised">
    > = {},
  ): SessionEvent {
    this.#seq++;
    return {
      seq: this.#seq,
      sessionId: this.sessionId,
      runId: this.runId,
      at: 1_700_000_000_000 + this.#seq,
      type,
      source: "cli",
      by: null,
      ...rest,
      data,
    } as SessionEvent;
  }

  note(text: string): SessionEvent {
    return this.event("notice", { kind: "informational", level: "info", text });
  }

  notes(count: number, text = "note"): SessionEvent[] {
    return Array.from({ length: count }, (_, n) => this.note(`${text} ${n}`));
  }

  queued(inputId: string): SessionEvent {
    return this.event(
      "input:queued",
      { inputId, text: "do it", contentBlocks: [], deliver: "queue" },
      { source: "person", runId: null, by: { userId: freshId(), via: "browser" } },
    );
  }

  resolved(requestId: string, runId: RunId = this.runId): SessionEvent {
    return this.event(
      "permission:resolved",
      { requestId, outcome: "allowed", answer: null },
      { runId },
    );
  }

  ended(): SessionEvent {
    return this.event("run:end", { reason: "completed", code: 0, signal: null });
  }

  batch(events: readonly SessionEvent[], rest: Partial<Batch> = {}): Batch {
    return {
      sessionId: this.sessionId,
      events,
      origin: null,
      raw: [],
      blobs: [],
      progress: null,
      summary: null,
      memo: null,
      ...rest,
    };
  }

  /** One line of the run: its event, its bytes, and the position after it. */
  line(line: number, text = `line ${line}`): Batch {
    const events = [this.note(text)];
    return this.batch(events, {
      origin: { runId: this.runId, line },
      raw: [this.raw(line, encodeUtf8(text))],
      progress: {
        runId: this.runId,
        done: { line, offset: line * 100 },
        replay: { line, offset: line * 100 },
      },
      summary: this.summary(),
    });
  }

  raw(line: number, bytes: Uint8Array, dir: RawLine["dir"] = "out", at = line): RawLine {
    return { runId: this.runId, dir, line, at: 1_700_000_000_000 + at, bytes };
  }

  summary(rest: Partial<SessionSummary> = {}): SessionSummary {
    return {
      status: "streaming",
      processAlive: true,
      activity: "responding",
      title: null,
      needsMe: 0,
      head: this.#seq,
      lastEventAt: 1_700_000_000_000 + this.#seq,
      lastError: null,
      costUsd: 0,
      ...rest,
    };
  }

  memo(state: SessionState): SessionState {
    return { ...state, seq: this.#seq, at: 1_700_000_000_000 + this.#seq };
  }
}

/** Bytes without meaning, the same for the same seed. */
export function noise(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; i++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[i] = state >> 16;
  }
  return bytes;
}
