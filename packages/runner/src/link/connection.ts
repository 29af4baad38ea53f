/**
 * One connection to the api, from hello to its end. What it knows of the api dies with it: the next
 * one starts from what the api asks for then.
 *
 *   open ─hello─► waiting for welcome ─► in use ─(close, silence, a send that hangs)─► closed
 */
import {
  fromApiSchema,
  HEARTBEAT_MS,
  LINK_CLOSE,
  LINK_DEADLINE_MS,
  WIRE_VERSION,
  type FromApi,
  type FromRunner,
  type ProcessHandle,
  type RunnerFacts,
} from "@lodge/protocol";
import { RunRefusal, type RunHost } from "../runs/run-host.ts";
import { answerRequest } from "./answer-request.ts";
import { DataSender } from "./data-sender.ts";

/** What the connection needs of a WebSocket that is open. */
export type LinkSocket = {
  readonly send: (data: string | Uint8Array, onSent: () => void) => void;
  readonly close: (code: number, reason: string) => void;
  /** At once and without a word: for a peer that does not answer. */
  readonly terminate: () => void;
  readonly bufferedAmount: () => number;
};

export type LinkClock = {
  readonly now: () => number;
  /** Returns the function that ends it. */
  readonly every: (ms: number, run: () => void) => () => void;
  readonly defer: (run: () => void) => void;
};

export type ConnectionOptions = {
  readonly socket: LinkSocket;
  readonly host: RunHost;
  readonly clock: LinkClock;
  readonly runnerId: string;
  readonly generation: number;
  readonly version: string;
  readonly facts: RunnerFacts;
  readonly onWelcome: () => void;
  readonly onError: (message: string, error: unknown) => void;
};

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #sender: DataSender;
  readonly #handles = new Map<string, ProcessHandle>();
  #stopBeating: () => void;
  #deadlineMs = LINK_DEADLINE_MS;
  #heardAt: number;
  /** When each send that is under way was begun, oldest first. */
  readonly #sending: number[] = [];
  #isWelcome = false;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    const { clock, socket, facts, generation, runnerId, version } = options;
    this.#options = options;
    this.#heardAt = clock.now();
    this.#sender = new DataSender({
      sendFrame: (frame) => this.#transmit(frame),
      sendExited: (runId, exit, position) => this.#send({ type: "exited", runId, exit, position }),
      bufferedAmount: socket.bufferedAmount,
      defer: clock.defer,
      onError: (runId, error) => options.onError(`run ${runId}: its output cannot be read`, error),
    });
    this.#stopBeating = clock.every(HEARTBEAT_MS, () => this.#beat());
    const runs = options.host
      .list()
      .map(({ runId, sessionId, alive }) => ({ runId, sessionId, alive }));
    this.#send({ type: "hello", wire: WIRE_VERSION, runnerId, generation, version, facts, runs });
  }

  receiveText(text: string): void {
    if (this.#isClosed) return;
    this.#heardAt = this.#options.clock.now();
    let message: FromApi;
    try {
      message = fromApiSchema.parse(JSON.parse(text));
    } catch (error) {
      this.#options.onError("the api said something unknown", error);
      this.close(LINK_CLOSE.badMessage, "a message that this runner does not understand");
      return;
    }
    if (message.type === "welcome") this.#takeWelcome(message);
    else if (this.#isWelcome) this.#take(message);
    else this.close(LINK_CLOSE.badMessage, "the first message must be welcome");
  }

  receiveBinary(): void {
    this.close(LINK_CLOSE.badMessage, "a runner takes no binary frames");
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#options.socket.close(code, reason);
    this.lost();
  }

  /** The socket is gone, whoever closed it. */
  lost(): void {
    this.#isClosed = true;
    this.#stopBeating();
    this.#sender.close();
    this.#handles.clear();
  }

  #takeWelcome(welcome: Extract<FromApi, { type: "welcome" }>): void {
    if (welcome.wire !== WIRE_VERSION) {
      this.close(LINK_CLOSE.wireVersion, `this runner speaks wire version ${WIRE_VERSION}`);
      return;
    }
    this.#isWelcome = true;
    this.#deadlineMs = welcome.deadlineMs;
    this.#stopBeating();
    this.#stopBeating = this.#options.clock.every(welcome.heartbeatMs, () => this.#beat());
    this.#options.onWelcome();
  }

  #take(message: Exclude<FromApi, { type: "welcome" }>): void {
    switch (message.type) {
      case "heartbeat":
        return;
      case "ack":
        this.#sender.acknowledge(message.runId, message.received);
        this.#handles.get(message.runId)?.committed(message.committed);
        return;
      case "disown":
        for (const runId of message.runIds) this.#disown(runId);
        return;
      case "request":
        void this.#answer(message.id, message.request);
        return;
    }
  }

  #disown(runId: string): void {
    this.#sender.drop(runId);
    this.#options.host
      .disown(runId)
      .catch((error: unknown) => this.#options.onError(`run ${runId}: cannot be ended`, error));
  }

  async #answer(
    id: number,
    request: Extract<FromApi, { type: "request" }>["request"],
  ): Promise<void> {
    try {
      const { result, follow } = await answerRequest(request, this.#options.host);
      if (this.#isClosed) return;
      this.#send({ type: "response", id, ok: true, result });
      // After the answer: the api then knows what the lines belong to.
      if (follow === undefined) return;
      this.#handles.set(follow.handle.runId, follow.handle);
      this.#sender.follow(follow.handle, follow.from);
    } catch (error) {
      if (this.#isClosed) return;
      const { code, message } = refusalOf(error);
      if (code === "internal") this.#options.onError(`${request.method} failed`, error);
      this.#send({ type: "failure", id, code, message });
    }
  }

  #beat(): void {
    const now = this.#options.clock.now();
    const [oldest = now] = this.#sending;
    if (now - this.#heardAt > this.#deadlineMs || now - oldest > this.#deadlineMs) {
      this.#options.socket.terminate();
      this.lost();
      return;
    }
    const runs = this.#options.host
      .list()
      .flatMap(({ alive, runId, lastLineAt }) => (alive ? [{ runId, lastLineAt }] : []));
    if (this.#isWelcome) this.#send({ type: "heartbeat", runs });
  }

  #send(message: FromRunner): void {
    this.#transmit(JSON.stringify(message));
  }

  #transmit(data: string | Uint8Array): void {
    if (this.#isClosed) return;
    this.#sending.push(this.#options.clock.now());
    this.#options.socket.send(data, () => {
      this.#sending.shift();
      this.#sender.flushSoon();
    });
  }
}

function refusalOf(error: unknown): { code: string; message: string } {
  if (error instanceof RunRefusal) return { code: error.code, message: error.message };
  if (error instanceof Error && error.name === "ProcessGoneError") {
    return { code: "process_gone", message: error.message };
  }
  if (error instanceof Error && error.name === "SpawnError") {
    return { code: (error as Error & { code: string }).code, message: error.message };
  }
  const { code } = error as { code?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT") {
    return { code: "disk_full", message: "The runner's disk is full." };
  }
  return { code: "internal", message: "The runner failed at this; its log says how." };
}
