/**
 * "Something may have changed": many may wait, anyone may wake them. A call that comes while nobody
 * waits is remembered, so that what happened between a look and the wait for news is not missed.
 */
export class Wakeup {
  #waiting: (() => void)[] = [];
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  wake(): void {
    this.#generation += 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves at the next call, or at once if one came after `generation` was read. */
  after(generation: number): Promise<void> {
    if (this.#generation !== generation) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
