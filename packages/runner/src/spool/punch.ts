/**
 * Gives disk back while a run goes on: the part of its output that is safe elsewhere becomes a hole.
 * The file keeps its size and its offsets. Rarely, since it costs a process; and where the file
 * system refuses, quietly never again for this run: it is only disk.
 */
import type { Position } from "@lodge/protocol";

const PAGE = 4096;
export const PUNCH_STEP_BYTES = 16 * 1024 * 1024;

export type HolePunchOptions = {
  /** What an earlier holder may have punched: nothing before it can be read. */
  readonly alreadyAt: Position;
  readonly stepBytes?: number;
  /** Must be durable when it resolves: a punched prefix reads as NUL bytes. */
  readonly persist: (position: Position) => Promise<void>;
  /** false: this file system does not do it. */
  readonly punch: (bytes: number) => Promise<boolean>;
};

export class HolePunch {
  readonly #options: HolePunchOptions;
  #punched: Position;
  #isWorking = false;
  #isRefused = false;

  constructor(options: HolePunchOptions) {
    this.#options = options;
    this.#punched = options.alreadyAt;
  }

  /** Before this there may be a hole: reading begins here or later. */
  get readableFrom(): Position {
    return this.#punched;
  }

  /** To be called with every new committed position; does something at every `stepBytes` of them. */
  async advance(position: Position): Promise<void> {
    const step = this.#options.stepBytes ?? PUNCH_STEP_BYTES;
    if (this.#isWorking || this.#isRefused || position.offset - this.#punched.offset < step) return;
    this.#isWorking = true;
    try {
      await this.#options.persist(position);
      this.#punched = position;
      const bytes = position.offset - (position.offset % PAGE);
      this.#isRefused = !(await this.#options.punch(bytes));
    } catch {
      this.#isRefused = true;
    } finally {
      this.#isWorking = false;
    }
  }
}
