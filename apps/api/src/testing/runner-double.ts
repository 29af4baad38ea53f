/**
 * A runner in memory, on the other end of a socket that a test can cut: speaks the wire for the
 * runs of any ProcessAdapter.
 */
import {
  encodeDataFrame,
  fromApiSchema,
  ProcessGoneError,
  START,
  WIRE_VERSION,
  type FromApi,
  type FromRunner,
  type Position,
  type ProcessAdapter,
  type ProcessHandle,
  type RunId,
  type RunnerRequest,
} from "@lodge/protocol";
import type { RunnerLink, LinkSocket } from "../runners/runner-link.ts";
import type { RunnerRegistry } from "../runners/runner-registry.ts";

/** Small, so that lines are cut. */
const PIECE_BYTES = 1_000;

export class RunnerDouble {
  readonly runnerId: string;
  readonly acks: Extract<FromApi, { type: "ack" }>[] = [];
  readonly disowned: RunId[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #adapter: ProcessAdapter;
  readonly #known: () => Extract<FromRunner, { type: "hello" }>["runs"];
  readonly #handles = new Map<RunId, ProcessHandle>();
  #link: RunnerLink | null = null;
  /** Answers are held back: the request arrived, nobody knows. */
  mute = false;

  constructor(adapter: ProcessAdapter, runnerId = "local", known = (): [] => []) {
    this.#adapter = adapter;
    this.runnerId = runnerId;
    this.#known = known;
  }

  connect(registry: RunnerRegistry, generation: number, wire = WIRE_VERSION): RunnerLink {
    this.closed = null;
    const socket: LinkSocket = {
      bufferedAmount: 0,
      send: (text) =>
        queueMicrotask(() => void this.#take(link, fromApiSchema.parse(JSON.parse(text)))),
      close: (code, reason) => {
        this.closed = { code, reason };
      },
      terminate: () => {
        this.closed = { code: 1006, reason: "terminated" };
      },
    };
    const link: RunnerLink = registry.accept(socket);
    this.#link = link;
    this.#say(link, {
      type: "hello",
      wire,
      runnerId: this.runnerId,
      generation,
      version: "test",
      facts: {
        tier: "none",
        accounts: false,
        hostname: "test",
        claudeBin: null,
        cliVersion: null,
        problem: null,
      },
      runs: this.#known(),
    });
    return link;
  }

  /** The connection breaks; what was under way on it is lost. */
  cut(): void {
    const link = this.#link;
    this.#link = null;
    link?.lost("cut by the test");
  }

  #say(link: RunnerLink, message: FromRunner): void {
    if (link === this.#link) link.receiveText(JSON.stringify(message));
  }

  async #take(link: RunnerLink, message: FromApi): Promise<void> {
    if (link !== this.#link) return;
    if (message.type === "ack") this.acks.push(message);
    if (message.type === "disown") this.disowned.push(...message.runIds);
    if (message.type !== "request") return;
    const { id, request } = message;
    try {
      const result = (await this.#answer(link, request)) ?? null;
      if (!this.mute) this.#say(link, { type: "response", id, ok: true, result });
    } catch (error) {
      const code = error instanceof ProcessGoneError ? "process_gone" : "failed";
      this.#say(link, { type: "failure", id, code, message: String(error) });
    }
  }

  async #answer(link: RunnerLink, request: RunnerRequest): Promise<unknown> {
    switch (request.method) {
      case "spawn": {
        const { prompt, ...config } = request.config;
        const handle = await this.#adapter.spawn(
          prompt === undefined ? config : { ...config, prompt },
        );
        return this.#follow(link, handle, START);
      }
      case "adopt": {
        const handle = await this.#adapter.adopt(request.runId, request.position);
        return handle ? this.#follow(link, handle, request.position) : null;
      }
      case "write":
        return this.#handle(request.runId).write(request.line);
      case "signal":
        return this.#handle(request.runId).signal(request.signal);
      case "end":
        return this.#handle(request.runId).end();
      case "release":
        return this.#handle(request.runId).release();
    }
  }

  #handle(runId: RunId): ProcessHandle {
    const handle = this.#handles.get(runId);
    if (!handle) throw new ProcessGoneError();
    return handle;
  }

  #follow(link: RunnerLink, handle: ProcessHandle, from: Position): unknown {
    this.#handles.set(handle.runId, handle);
    void this.#pump(link, handle, from);
    return { processId: handle.processId, pid: handle.pid, alive: handle.alive };
  }

  async #pump(link: RunnerLink, handle: ProcessHandle, from: Position): Promise<void> {
    let position = from;
    for await (const line of handle.lines) {
      if (link !== this.#link) return;
      for (let at = 0; ; at += PIECE_BYTES) {
        const piece = line.bytes.subarray(at, at + PIECE_BYTES);
        const end = at + PIECE_BYTES >= line.bytes.byteLength;
        const offset = end ? line.offset : position.offset + at + piece.byteLength;
        link.receiveBinary(
          encodeDataFrame(
            {
              runId: handle.runId,
              parts: [
                {
                  line: line.line,
                  offset,
                  size: piece.byteLength,
                  at: line.at,
                  end,
                  ...(end && line.cut ? { cut: true as const } : {}),
                },
              ],
            },
            [piece],
          ),
        );
        if (end) break;
      }
      position = { line: line.line, offset: line.offset };
    }
    this.#say(link, { type: "exited", runId: handle.runId, exit: await handle.exited, position });
  }
}
