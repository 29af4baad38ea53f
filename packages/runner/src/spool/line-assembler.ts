/**
 * Cuts a byte stream into numbered lines at 0x0A. Pieces of an unfinished line are kept as a list
 * and joined once: joining at every read makes an 8 MiB line cost gigabytes of copying.
 *
 * A line longer than `maxLineBytes` keeps only its head, so that a stream without newlines cannot
 * fill the memory; its offset still is the true end of the line.
 */
import type { Position } from "@lodge/protocol";

export type AssembledLine = {
  readonly line: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
};

const NEWLINE = 0x0a;

export class LineAssembler {
  readonly #maxLineBytes: number;
  #line: number;
  #offset: number;
  #pieces: Uint8Array[] = [];
  #kept = 0;
  /** Of the unfinished line, kept or not. */
  #size = 0;

  constructor(from: Position, maxLineBytes: number) {
    this.#line = from.line;
    this.#offset = from.offset;
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that this chunk completes. Pieces of it are kept by reference: hand over fresh memory. */
  push(chunk: Uint8Array): AssembledLine[] {
    const lines: AssembledLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.#take(1));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** The unfinished last line of a stream that is over; null: it ended with a newline. */
  end(): AssembledLine | null {
    return this.#size === 0 ? null : this.#take(0);
  }

  #keep(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    const room = this.#maxLineBytes - this.#kept;
    if (piece.byteLength === 0 || room <= 0) return;
    const kept = piece.subarray(0, room);
    this.#pieces.push(kept);
    this.#kept += kept.byteLength;
  }

  #take(newline: 0 | 1): AssembledLine {
    this.#line += 1;
    this.#offset += this.#size + newline;
    const [only] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#kept = 0;
    this.#size = 0;
    return { line: this.#line, offset: this.#offset, bytes };
  }
}
