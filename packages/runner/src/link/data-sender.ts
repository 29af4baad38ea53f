/**
 * Sends what the runs have to say, one frame each in turn, and never more than the socket can hold
 * without making a heartbeat wait.
 */
import type { Position, ProcessExit, ProcessHandle } from "@lodge/protocol";
import { RunOutbox } from "./run-outbox.ts";

/** At 10 Mbit/s a heartbeat behind this much waits 0.4 s. */
const SOCKET_BYTES = 512 * 1024;

export type DataSenderOptions = {
  readonly sendFrame: (frame: Uint8Array) => void;
  readonly sendExited: (runId: string, exit: ProcessExit, position: Position) => void;
  /** Bytes that the socket took and has not got rid of. */
  readonly bufferedAmount: () => number;
  /** Calls back once the current burst of lines is in. */
  readonly defer: (flush: () => void) => void;
  readonly onError: (runId: string, error: unknown) => void;
};

export class DataSender {
  readonly #options: DataSenderOptions;
  /** In the order of their turns. */
  readonly #outboxes = new Map<string, RunOutbox>();
  #isDeferred = false;
  #isClosed = false;

  constructor(options: DataSenderOptions) {
    this.#options = options;
  }

  /** Sends everything of this run from here on; an earlier reading of it is given up. */
  follow(handle: ProcessHandle, from: Position): void {
    const { runId } = handle;
    this.drop(runId);
    const outbox = new RunOutbox(runId, from);
    this.#outboxes.set(runId, outbox);
    this.#read(handle, outbox).catch((error: unknown) => this.#options.onError(runId, error));
  }

  async #read(handle: ProcessHandle, outbox: RunOutbox): Promise<void> {
    const isCurrent = (): boolean => this.#outboxes.get(handle.runId) === outbox;
    for await (const line of handle.lines) {
      if (!isCurrent()) return;
      outbox.put(line);
      this.flushSoon();
      await outbox.room();
    }
    const exit = await handle.exited;
    if (!isCurrent()) return;
    outbox.finish(exit);
    this.flushSoon();
  }

  drop(runId: string): void {
    this.#outboxes.get(runId)?.abandon();
    this.#outboxes.delete(runId);
  }

  acknowledge(runId: string, received: Position): void {
    this.#outboxes.get(runId)?.acknowledge(received);
    this.flushSoon();
  }

  close(): void {
    this.#isClosed = true;
    for (const runId of this.#outboxes.keys()) this.drop(runId);
  }

  /** Many lines of one read become one frame. */
  flushSoon(): void {
    if (this.#isDeferred || this.#isClosed) return;
    this.#isDeferred = true;
    this.#options.defer(() => {
      this.#isDeferred = false;
      this.#flush();
    });
  }

  #flush(): void {
    for (let isMoving = true; isMoving && !this.#isClosed;) {
      isMoving = false;
      for (const [runId, outbox] of this.#outboxes) {
        if (this.#options.bufferedAmount() >= SOCKET_BYTES) return this.#startWith(runId);
        const frame = outbox.takeFrame();
        if (frame !== null) {
          this.#options.sendFrame(frame);
          isMoving = true;
        }
        const end = outbox.takeExit();
        if (end !== null) this.#options.sendExited(runId, end.exit, end.position);
      }
    }
  }

  /** The socket is full: the run whose turn it was is the first of the next round. */
  #startWith(first: string): void {
    for (const [runId, outbox] of this.#outboxes) {
      if (runId === first) return;
      this.#outboxes.delete(runId);
      this.#outboxes.set(runId, outbox);
    }
  }
}
