/**
 * The api's end of one connection to a runner: parses frames at the edge, pairs requests with
 * answers, keeps the heartbeat, and gives up on a peer that is silent. Knows nothing of runs.
 */
import {
  fromRunnerSchema,
  HEARTBEAT_MS,
  LINK_CLOSE,
  LINK_DEADLINE_MS,
  parseDataFrame,
  WIRE_VERSION,
  type DataHeader,
  type FromApi,
  type FromRunner,
  type RunnerRequest,
} from "@lodge/protocol";

/** What the link needs of a WebSocket. */
export type LinkSocket = {
  send(data: string): void;
  close(code: number, reason: string): void;
  /** Drops the connection without a closing handshake: the peer may be frozen. */
  terminate(): void;
  /** Bytes accepted by send and not yet handed to the network. */
  readonly bufferedAmount: number;
};

export class LinkLost extends Error {
  constructor(reason: string) {
    super(`the link to the runner was lost: ${reason}`);
    this.name = "LinkLost";
  }
}

/** The runner refused a request; `code` is for machines, the message for people. */
export class RunnerFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "RunnerFailure";
    this.code = code;
  }
}

export type Hello = Extract<FromRunner, { type: "hello" }>;
export type Report = Exclude<FromRunner, { type: "hello" | "response" | "failure" }>;

export type RunnerLinkHandlers = {
  readonly onHello: (hello: Hello) => void;
  readonly onData: (header: DataHeader, payload: Uint8Array) => void;
  readonly onReport: (report: Report) => void;
  readonly onClosed: (reason: string) => void;
};

export type Timers = {
  readonly every: (ms: number, run: () => void) => () => void;
  readonly now: () => number;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

export class RunnerLink {
  readonly #socket: LinkSocket;
  readonly #handlers: RunnerLinkHandlers;
  readonly #timers: Timers;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stopTimer: () => void;
  #nextId = 1;
  #heardAt: number;
  #hello: Hello | null = null;
  #open = true;

  constructor(socket: LinkSocket, handlers: RunnerLinkHandlers, timers: Timers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#timers = timers;
    this.#heardAt = timers.now();
    this.#stopTimer = timers.every(HEARTBEAT_MS, () => this.#beat());
  }

  get hello(): Hello | null {
    return this.#hello;
  }
  get open(): boolean {
    return this.#open;
  }

  receiveText(text: string): void {
    if (!this.#open) return;
    this.#heardAt = this.#timers.now();
    let message: FromRunner;
    try {
      message = fromRunnerSchema.parse(JSON.parse(text));
    } catch {
      this.close(LINK_CLOSE.badMessage, "a message that this api does not understand");
      return;
    }
    if (message.type === "hello") this.#greet(message);
    else if (!this.#hello) this.close(LINK_CLOSE.badMessage, "the first message must be hello");
    else if (message.type === "response")
      this.#settle(message.id, (w) => w.resolve(message.result));
    else if (message.type === "failure")
      this.#settle(message.id, (w) => w.reject(new RunnerFailure(message.code, message.message)));
    else this.#handlers.onReport(message);
  }

  /** Frames of a connection that was given up are dropped: its lines are asked for again. */
  receiveBinary(frame: Uint8Array): void {
    if (!this.#open) return;
    this.#heardAt = this.#timers.now();
    let data: { header: DataHeader; payload: Uint8Array };
    try {
      if (!this.#hello) throw new Error("data before hello");
      data = parseDataFrame(frame);
    } catch {
      this.close(LINK_CLOSE.badMessage, "a data frame that this api does not understand");
      return;
    }
    this.#handlers.onData(data.header, data.payload);
  }

  /** Resolves with the runner's answer; rejects with RunnerFailure, or LinkLost: then nobody knows. */
  request(request: RunnerRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new LinkLost("it is closed"));
        return;
      }
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.send({ type: "request", id, request });
    });
  }

  send(message: FromApi): void {
    if (this.#open) this.#socket.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    if (!this.#open) return;
    this.#socket.close(code, reason);
    this.lost(reason);
  }

  /** The socket is gone, whoever closed it. */
  lost(reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#stopTimer();
    for (const waiting of this.#waiting.values()) waiting.reject(new LinkLost(reason));
    this.#waiting.clear();
    this.#handlers.onClosed(reason);
  }

  #greet(hello: Hello): void {
    if (this.#hello) {
      this.close(LINK_CLOSE.badMessage, "a second hello");
      return;
    }
    if (hello.wire !== WIRE_VERSION) {
      this.close(LINK_CLOSE.wireVersion, `this api speaks wire version ${WIRE_VERSION}`);
      return;
    }
    this.#hello = hello;
    this.send({
      type: "welcome",
      wire: WIRE_VERSION,
      heartbeatMs: HEARTBEAT_MS,
      deadlineMs: LINK_DEADLINE_MS,
    });
    this.#handlers.onHello(hello);
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    // An answer nobody waits for is of a request that was given up: nothing to do.
    if (!waiting) return;
    this.#waiting.delete(id);
    settle(waiting);
  }

  #beat(): void {
    if (this.#timers.now() - this.#heardAt > LINK_DEADLINE_MS) {
      this.#socket.terminate();
      this.lost("the runner was silent");
      return;
    }
    this.send({ type: "heartbeat" });
  }
}
