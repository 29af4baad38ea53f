/**
 * Bytes → lines, split on 0x0A only. Pieces of a line are kept in a list and joined once, when its
 * end comes: joining at every chunk would cost the square of its length.
 */
export type SplitLine = {
  /** Without the newline. */
  readonly bytes: Uint8Array;
  /** Byte offset of the stream just after the newline. */
  readonly offset: number;
};

const NEWLINE = 0x0a;

export class LineSplitter {
  #pieces: Uint8Array[] = [];
  #held = 0;
  #offset: number;

  /** `offset`: where in the stream the first chunk begins; it must be the beginning of a line. */
  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** How many bytes are held of a line whose end has not come. */
  get held(): number {
    return this.#held;
  }

  /** Offset just after the last whole line. */
  get offset(): number {
    return this.#offset;
  }

  /** The lines that this chunk completes. A line inside the chunk is a view on it: copy the chunk if it is used again. */
  push(chunk: Uint8Array): SplitLine[] {
    const lines: SplitLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const bytes = this.#take(chunk.subarray(from, at));
      this.#offset += bytes.byteLength + 1;
      lines.push({ bytes, offset: this.#offset });
      from = at + 1;
    }
    if (from < chunk.byteLength) {
      this.#pieces.push(chunk.subarray(from));
      this.#held += chunk.byteLength - from;
    }
    return lines;
  }

  /** The end of the stream: what is left of a line without its newline, or null. */
  end(): SplitLine | null {
    if (this.#held === 0) return null;
    const bytes = this.#take(new Uint8Array(0));
    this.#offset += bytes.byteLength;
    return { bytes, offset: this.#offset };
  }

  /** What is held so far, without taking it. */
  remainder(): Uint8Array {
    return join(this.#pieces, this.#held);
  }

  #take(last: Uint8Array): Uint8Array {
    if (this.#held === 0) return last;
    const bytes = join([...this.#pieces, last], this.#held + last.byteLength);
    this.#pieces = [];
    this.#held = 0;
    return bytes;
  }
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
