/**
 * A run on a runner, as the session engine sees it. Outlives connections: when the link is lost it
 * waits for the next one, asks for its lines from where it stopped, and writes again what was not
 * acknowledged. The runner's journal drops what it has. [W3] [A4]
 */
import {
  ProcessGoneError,
  writeReceiptSchema,
  type DataHeader,
  type Position,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
  type RunFacts,
  type RunId,
  type WriteReceipt,
} from "@lodge/protocol";
import { LinkLost, RunnerFailure, type RunnerLink } from "./runner-link.ts";

type PendingWrite = {
  readonly line: string;
  readonly resolve: (receipt: WriteReceipt) => void;
  readonly reject: (error: Error) => void;
  sentOn: RunnerLink | null;
};

export class RemoteHandle implements ProcessHandle {
  readonly runId: RunId;
  readonly exited: Promise<ProcessExit>;
  #facts: RunFacts;
  #link: RunnerLink | null = null;
  /** Complete lines that wait for the engine. */
  readonly #queue: ProcessLine[] = [];
  #wake: (() => void) | null = null;
  #pieces: Uint8Array[] = [];
  /** The last line handed to the engine: what is before it may be forgotten by the link. */
  #consumed: Position;
  /** The last line that arrived whole. */
  #arrived: Position;
  #committed: Position;
  #ackDue = false;
  #exit: { readonly exit: ProcessExit; readonly position: Position } | null = null;
  #resolveExited!: (exit: ProcessExit) => void;
  readonly #writes: PendingWrite[] = [];
  #endings: Array<{ readonly resolve: () => void; readonly reject: (error: unknown) => void }> = [];
  #released = false;
  readonly #onReleased: () => void;

  constructor(runId: RunId, facts: RunFacts, from: Position, onReleased: () => void) {
    this.runId = runId;
    this.#facts = facts;
    this.#consumed = from;
    this.#arrived = from;
    this.#committed = from;
    this.#onReleased = onReleased;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  get processId(): string {
    return this.#facts.processId;
  }
  get pid(): number | null {
    return this.#facts.pid;
  }
  get alive(): boolean {
    return this.#exit === null && this.#facts.alive;
  }
  get connected(): boolean {
    return this.#link !== null;
  }
  /** Where reading goes on after a new connection. */
  get position(): Position {
    return this.#arrived;
  }

  // -------------------------------------------------------------- the link

  /** A connection on which the runner has been told to send from `position`. */
  attach(link: RunnerLink, facts: RunFacts): void {
    this.#link = link;
    this.#facts = facts;
    this.#pieces = [];
    for (const write of this.#writes) this.#sendWrite(write);
    if (this.#endings.length > 0) void this.#sendEnd();
  }

  detach(): void {
    this.#link = null;
    this.#pieces = [];
  }

  takeData(header: DataHeader, payload: Uint8Array): void {
    let at = 0;
    for (const part of header.parts) {
      const piece = payload.subarray(at, at + part.size);
      at += part.size;
      // Lines that came before a connection broke may come again.
      if (part.line <= this.#arrived.line) continue;
      this.#pieces.push(piece);
      if (!part.end) continue;
      const bytes = join(this.#pieces);
      this.#pieces = [];
      this.#arrived = { line: part.line, offset: part.offset };
      this.#queue.push({
        line: part.line,
        offset: part.offset,
        at: part.at,
        bytes,
        ...(part.cut ? { cut: true as const } : {}),
      });
    }
    this.#wake?.();
  }

  takeExit(exit: ProcessExit, position: Position): void {
    this.#exit = { exit, position };
    for (const write of this.#writes.splice(0)) write.reject(new ProcessGoneError());
    for (const ending of this.#endings.splice(0)) ending.resolve();
    this.#resolveExited(exit);
    this.#wake?.();
  }

  // ------------------------------------------------------------ the engine

  readonly lines: AsyncIterable<ProcessLine> = {
    [Symbol.asyncIterator]: () => ({ next: () => this.#nextLine() }),
  };

  async #nextLine(): Promise<IteratorResult<ProcessLine>> {
    for (;;) {
      const line = this.#queue.shift();
      if (line) {
        this.#consumed = { line: line.line, offset: line.offset };
        this.#acknowledge();
        return { done: false, value: line };
      }
      if (this.#exit && this.#arrived.offset >= this.#exit.position.offset)
        return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  committed(position: Position): void {
    if (position.offset <= this.#committed.offset) return;
    this.#committed = position;
    this.#acknowledge();
  }

  write(line: string): Promise<WriteReceipt> {
    if (this.#exit) return Promise.reject(new ProcessGoneError());
    return new Promise((resolve, reject) => {
      const write: PendingWrite = { line, resolve, reject, sentOn: null };
      this.#writes.push(write);
      this.#sendWrite(write);
    });
  }

  async signal(signal: Parameters<ProcessHandle["signal"]>[0]): Promise<void> {
    if (this.#exit) return;
    if (!this.#link) throw new LinkLost("the runner is not connected");
    await this.#link.request({ method: "signal", runId: this.runId, signal });
  }

  end(): Promise<void> {
    if (this.#exit) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#endings.push({ resolve, reject });
      void this.#sendEnd();
    });
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    // Lost on the way: at the next hello the runner names the run, and is told that nobody wants it.
    this.#link?.request({ method: "release", runId: this.runId }).catch(() => undefined);
    this.#onReleased();
  }

  // --------------------------------------------------------------- details

  #sendWrite(write: PendingWrite): void {
    const link = this.#link;
    if (!link || write.sentOn === link) return;
    write.sentOn = link;
    link
      .request({ method: "write", runId: this.runId, line: write.line })
      .then((result) => {
        write.resolve(writeReceiptSchema.parse(result));
        this.#forget(write);
      })
      .catch((error: unknown) => {
        // On a lost link nobody knows: it is written again on the next one.
        if (error instanceof LinkLost) return;
        this.#forget(write);
        write.reject(
          error instanceof RunnerFailure && error.code === "process_gone"
            ? new ProcessGoneError(error.message)
            : (error as Error),
        );
      });
  }

  #forget(write: PendingWrite): void {
    const index = this.#writes.indexOf(write);
    if (index >= 0) this.#writes.splice(index, 1);
  }

  /** Its answer is the run's `exited`; a lost request is repeated on the next link. */
  async #sendEnd(): Promise<void> {
    try {
      await this.#link?.request({ method: "end", runId: this.runId });
    } catch (error) {
      if (error instanceof LinkLost) return;
      for (const ending of this.#endings.splice(0)) ending.reject(error);
    }
  }

  /** Acknowledgements of one tick travel together. */
  #acknowledge(): void {
    if (this.#ackDue || this.#released) return;
    this.#ackDue = true;
    queueMicrotask(() => {
      this.#ackDue = false;
      this.#link?.send({
        type: "ack",
        runId: this.runId,
        received: this.#consumed,
        committed: this.#committed,
      });
    });
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return Uint8Array.from(pieces[0] as Uint8Array);
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
