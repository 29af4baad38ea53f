/**
 * The api's side of the link, as far as a test needs it: takes connections, checks what comes
 * against the wire's schemas, puts lines together, and acknowledges what the test wants.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  fromRunnerSchema,
  parseDataFrame,
  START,
  WIRE_VERSION,
  type DataHeader,
  type FromApi,
  type FromRunner,
  type Position,
  type RunnerRequest,
} from "@lodge/protocol";
import { type WebSocket, WebSocketServer } from "ws";

export const TEST_TOKEN = "token-of-the-test";

type Hello = Extract<FromRunner, { type: "hello" }>;
type Exited = Extract<FromRunner, { type: "exited" }>;
export type TakenLine = { readonly line: number; readonly bytes: Buffer; readonly cut: boolean };

/** What came of one run on one connection. */
export class TakenRun {
  readonly lines: TakenLine[] = [];
  readonly frames: { readonly header: DataHeader; readonly bytes: number }[] = [];
  exited: Exited | null = null;
  #pieces: Buffer[] = [];

  get position(): Position {
    const part = this.frames.at(-1)?.header.parts.at(-1);
    return part === undefined ? START : { line: part.line, offset: part.offset };
  }

  take(header: DataHeader, payload: Uint8Array, frameBytes: number): void {
    this.frames.push({ header, bytes: frameBytes });
    let at = 0;
    for (const part of header.parts) {
      this.#pieces.push(Buffer.from(payload.subarray(at, at + part.size)));
      at += part.size;
      if (!part.end) continue;
      const bytes = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.lines.push({ line: part.line, bytes, cut: part.cut === true });
    }
  }

  texts(): string[] {
    return this.lines.map(({ bytes }) => bytes.toString());
  }

  /** The lines as JSON; what is none is left out. */
  messages(): Record<string, unknown>[] {
    return this.texts().flatMap((text) => {
      try {
        return [JSON.parse(text) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
  }
}

export class TestConnection {
  readonly hello: Hello;
  readonly runs = new Map<string, TakenRun>();
  readonly order: string[] = [];
  heartbeats = 0;
  /** Acknowledge every frame as it comes. */
  isAcknowledging = true;
  closed: { readonly code: number; readonly reason: string } | null = null;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<
    number,
    { resolve: (r: unknown) => void; reject: (e: Error) => void }
  >();
  #nextId = 0;

  constructor(socket: WebSocket, hello: Hello) {
    this.#socket = socket;
    this.hello = hello;
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#takeFrame(data);
      else this.#take(fromRunnerSchema.parse(JSON.parse(data.toString())));
    });
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  run(runId: string): TakenRun {
    const run = this.runs.get(runId) ?? new TakenRun();
    this.runs.set(runId, run);
    return run;
  }

  send(message: FromApi): void {
    this.#socket.send(JSON.stringify(message));
  }

  sendRaw(data: string | Buffer): void {
    this.#socket.send(data);
  }

  request(request: RunnerRequest): Promise<unknown> {
    this.#nextId += 1;
    const id = this.#nextId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send({ type: "request", id, request });
    });
  }

  acknowledge(runId: string, received: Position, committed: Position = received): void {
    this.send({ type: "ack", runId, received, committed });
  }

  /** Reads no more, says no more: frozen, not gone. */
  freeze(): void {
    this.#socket.pause();
  }

  drop(): void {
    this.#socket.terminate();
  }

  #takeFrame(data: Buffer): void {
    const { header, payload } = parseDataFrame(data);
    const run = this.run(header.runId);
    run.take(header, payload, data.byteLength);
    this.order.push(header.runId);
    if (this.isAcknowledging) this.acknowledge(header.runId, run.position);
  }

  #take(message: FromRunner): void {
    if (message.type === "response") this.#waiting.get(message.id)?.resolve(message.result);
    else if (message.type === "failure") {
      const error = Object.assign(new Error(message.message), { code: message.code });
      this.#waiting.get(message.id)?.reject(error);
    } else if (message.type === "exited") this.run(message.runId).exited = message;
    else if (message.type === "heartbeat") this.heartbeats += 1;
  }
}

export class TestApi {
  readonly url: string;
  readonly connections: TestConnection[] = [];
  readonly #server: WebSocketServer;
  #wakeups: (() => void)[] = [];

  private constructor(
    server: WebSocketServer,
    options: { heartbeatMs: number; deadlineMs: number },
  ) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (socket) => {
      socket.on("error", () => undefined);
      socket.once("message", (data: Buffer) => {
        const hello = fromRunnerSchema.parse(JSON.parse(data.toString()));
        if (hello.type !== "hello") throw new Error(`hello was to come, not ${hello.type}`);
        const connection = new TestConnection(socket, hello);
        connection.send({ type: "welcome", wire: WIRE_VERSION, ...options });
        this.connections.push(connection);
        for (const wake of this.#wakeups.splice(0)) wake();
      });
    });
  }

  static async open(
    options: { port?: number; heartbeatMs?: number; deadlineMs?: number } = {},
  ): Promise<TestApi> {
    const { port = 0, heartbeatMs = 1_000, deadlineMs = 5_000 } = options;
    const server = new WebSocketServer({
      host: "127.0.0.1",
      port,
      path: "/api/runners/link",
      verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) =>
        req.headers["authorization"] === `Bearer ${TEST_TOKEN}`,
    });
    await once(server, "listening");
    return new TestApi(server, { heartbeatMs, deadlineMs });
  }

  /** The n-th connection, counted from 1, as soon as it is there. */
  async connection(number: number): Promise<TestConnection> {
    for (;;) {
      const connection = this.connections[number - 1];
      if (connection !== undefined) return connection;
      await new Promise<void>((resolve) => this.#wakeups.push(resolve));
    }
  }

  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
