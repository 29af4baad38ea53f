/**
 * What one run has to send on one connection, and how much of it it may.
 *
 * Credit: at most WINDOW_BYTES are under way between what was sent and what the api says it
 * received. One line alone may be more than that: the api acknowledges whole lines, so a line that
 * is the only one under way is sent to its end.
 */
import {
  encodeDataFrame,
  WINDOW_BYTES,
  type Position,
  type ProcessExit,
  type ProcessLine,
} from "@lodge/protocol";
import { cutLine, PARTS_PER_FRAME, PAYLOAD_BYTES, type LinePart } from "./cut-line.ts";

export class RunOutbox {
  readonly runId: string;
  #parts: LinePart[] = [];
  #bytes = 0;
  /** The end of the last line that was put in. */
  #filled: Position;
  #sent: Position;
  #received: Position;
  #exit: ProcessExit | null = null;
  #onRoom: (() => void) | null = null;

  constructor(runId: string, from: Position) {
    this.runId = runId;
    this.#filled = from;
    this.#sent = from;
    this.#received = from;
  }

  get received(): Position {
    return this.#received;
  }

  put(line: ProcessLine): void {
    for (const part of cutLine(line, this.#filled.offset)) {
      this.#parts.push(part);
      this.#bytes += part.size;
    }
    this.#filled = { line: line.line, offset: line.offset };
  }

  /** Resolves once there is less than a frame's worth inside. */
  room(): Promise<void> {
    if (this.#bytes < PAYLOAD_BYTES && this.#parts.length < PARTS_PER_FRAME)
      return Promise.resolve();
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Nothing will be put in any more. */
  finish(exit: ProcessExit): void {
    this.#exit = exit;
  }

  /** Lets go of a reader that waits for room. */
  abandon(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#onRoom?.();
  }

  acknowledge(received: Position): void {
    if (received.offset > this.#received.offset) this.#received = received;
  }

  #mayBeSent(part: LinePart): boolean {
    const underWay = this.#sent.offset - this.#received.offset;
    return underWay + part.size <= WINDOW_BYTES || part.line === this.#received.line + 1;
  }

  /** The next frame; null: nothing to send, or no credit. */
  takeFrame(): Uint8Array | null {
    const taken: LinePart[] = [];
    let size = 0;
    for (const part of this.#parts) {
      if (taken.length === PARTS_PER_FRAME || (size > 0 && size + part.size > PAYLOAD_BYTES)) break;
      if (!this.#mayBeSent(part)) break;
      taken.push(part);
      size += part.size;
      this.#sent = { line: part.line, offset: part.offset };
    }
    if (taken.length === 0) return null;
    this.#parts.splice(0, taken.length);
    this.#bytes -= size;
    if (this.#bytes < PAYLOAD_BYTES) {
      this.#onRoom?.();
      this.#onRoom = null;
    }
    const parts = taken.map(({ bytes: _, ...part }) => part);
    return encodeDataFrame(
      { runId: this.runId, parts },
      taken.map((part) => part.bytes),
    );
  }

  /** How the run ended, once, and only when all it said was sent. */
  takeExit(): { readonly exit: ProcessExit; readonly position: Position } | null {
    if (this.#exit === null || this.#parts.length > 0) return null;
    const exit = this.#exit;
    this.#exit = null;
    return { exit, position: this.#filled };
  }
}
