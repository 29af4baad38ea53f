/**
 * Keeps the runner connected: dials, serves one connection at a time, dials again. Each connection
 * has a higher generation than every one before it, also across restarts: of two that claim to be
 * this runner the api keeps the higher.
 */
import { LINK_CLOSE } from "@lodge/protocol";
import { backOffMs } from "./back-off.ts";
import { Connection, type ConnectionOptions, type LinkSocket } from "./connection.ts";

export type SocketEvents = {
  readonly onOpen: (socket: LinkSocket) => void;
  readonly onText: (text: string) => void;
  readonly onBinary: () => void;
  /** Once, also when it never opened. `reason` is for the log. */
  readonly onClose: (code: number, reason: string) => void;
};

export type LinkOptions = Omit<
  ConnectionOptions,
  "socket" | "generation" | "facts" | "onWelcome"
> & {
  readonly dial: (events: SocketEvents) => { readonly abort: () => void };
  /** Higher at every call, and on the disk before it resolves. */
  readonly nextGeneration: () => Promise<number>;
  readonly facts: () => Promise<ConnectionOptions["facts"]>;
  readonly random: () => number;
  /** Returns the function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onConnected: () => void;
  readonly onDisconnected: (reason: string, retryMs: number) => void;
};

/** Somebody else is this runner: coming back at once would only throw him out again. */
const FENCED_MS = 10_000;

export class Link {
  readonly #options: LinkOptions;
  #connection: Connection | null = null;
  #attempt = 0;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  start(): void {
    this.#dial().catch((error: unknown) => {
      this.#options.onError("cannot dial the api", error);
      this.#retry("cannot dial", backOffMs(this.#attempt, this.#options.random()));
    });
  }

  /** The runs live on; the api sees the runner go. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#connection?.close(1001, "the runner is going away");
    this.#connection = null;
  }

  async #dial(): Promise<void> {
    const generation = await this.#options.nextGeneration();
    const facts = await this.#options.facts();
    if (this.#isStopped) return;
    const attempt = this.#options.dial({
      onOpen: (socket) => {
        this.#connection = new Connection({
          ...this.#options,
          socket,
          generation,
          facts,
          onWelcome: () => {
            this.#attempt = 0;
            this.#options.onConnected();
          },
        });
      },
      onText: (text) => this.#connection?.receiveText(text),
      onBinary: () => this.#connection?.receiveBinary(),
      onClose: (code, reason) => {
        this.#connection?.lost();
        this.#connection = null;
        const waitMs = backOffMs(this.#attempt, this.#options.random());
        this.#retry(reason, code === LINK_CLOSE.fenced ? Math.max(waitMs, FENCED_MS) : waitMs);
      },
    });
    this.#cancel = attempt.abort;
  }

  #retry(reason: string, waitMs: number): void {
    if (this.#isStopped) return;
    this.#attempt += 1;
    this.#options.onDisconnected(reason, waitMs);
    this.#cancel = this.#options.after(waitMs, () => this.start());
  }
}
