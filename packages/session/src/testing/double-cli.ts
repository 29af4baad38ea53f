/**
 * A hand-stepped CLI behind the process seam: a test says what it prints and sees what it was told.
 * Answers `initialize` by itself. Its runs outlive the engine that started them, as on a spool.
 */
import {
  encodeUtf8,
  ProcessGoneError,
  type SpawnError,
  START,
  stdinKey,
  type Position,
  type ProcessAdapter,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
  type RunId,
  type SpawnConfig,
} from "@lodge/protocol";

type Json = Readonly<Record<string, unknown>>;

export class DoubleRun {
  readonly config: SpawnConfig;
  readonly stdin: Json[] = [];
  readonly lines: ProcessLine[] = [];
  exit: ProcessExit | null = null;
  committedTo: Position = START;
  released = false;
  /** Being ended takes until the test says so. */
  stubborn = false;
  /** The next write fails for a reason that is not the process's. */
  failNextWrite: Error | null = null;
  readonly #keys = new Set<string>();
  readonly #waiters: Array<() => void> = [];

  constructor(config: SpawnConfig) {
    this.config = config;
  }

  print(...messages: readonly Json[]): void {
    for (const message of messages) {
      const bytes = encodeUtf8(JSON.stringify(message));
      const offset = (this.lines.at(-1)?.offset ?? 0) + bytes.byteLength + 1;
      this.lines.push({ line: this.lines.length + 1, offset, at: 1_000, bytes });
    }
    this.#wake();
  }

  die(exit: Partial<ProcessExit> = {}): void {
    this.exit = { code: 0, signal: null, cause: "exited", stderr: "", ...exit };
    this.#wake();
  }

  take(line: string): { journalLine: number; duplicate: boolean } {
    if (this.exit) throw new ProcessGoneError();
    const failure = this.failNextWrite;
    this.failNextWrite = null;
    if (failure) throw failure;
    const key = stdinKey(line);
    const duplicate = key !== null && this.#keys.has(key);
    if (!duplicate) {
      if (key !== null) this.#keys.add(key);
      const message = JSON.parse(line) as Json & { request?: { subtype?: string } };
      this.stdin.push(message);
      if (message.request?.subtype === "initialize")
        this.print(
          reply(String(message["request_id"]), { commands: [], models: [], account: {}, pid: 7 }),
        );
    }
    return { journalLine: this.stdin.length, duplicate };
  }

  /** What was written, without the `initialize` of every run. */
  get told(): readonly Json[] {
    return this.stdin.filter(
      (message) => (message["request"] as Json | undefined)?.["subtype"] !== "initialize",
    );
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }
}

export class DoubleCli implements ProcessAdapter {
  readonly runs = new Map<RunId, DoubleRun>();
  readonly spawns: SpawnConfig[] = [];
  /** The next start fails with this. */
  failNext: SpawnError | null = null;

  get last(): DoubleRun {
    const run = [...this.runs.values()].at(-1);
    if (!run) throw new Error("nothing was started");
    return run;
  }

  spawn(config: SpawnConfig): Promise<ProcessHandle> {
    const failure = this.failNext;
    this.failNext = null;
    if (failure) return Promise.reject(failure);
    if (!this.runs.has(config.runId)) {
      this.spawns.push(config);
      this.runs.set(config.runId, new DoubleRun(config));
    }
    return Promise.resolve(handle(this.runs.get(config.runId) as DoubleRun, START));
  }

  adopt(runId: RunId, position: Position): Promise<ProcessHandle | null> {
    const run = this.runs.get(runId);
    return Promise.resolve(run ? handle(run, position) : null);
  }
}

function handle(run: DoubleRun, from: Position): ProcessHandle {
  const exited = (async () => {
    while (!run.exit) await run.changed();
    return run.exit;
  })();
  async function* read(): AsyncGenerator<ProcessLine> {
    for (let next = from.line; ;) {
      const line = run.lines[next];
      if (line) {
        next++;
        yield line;
      } else if (run.exit) return;
      else await run.changed();
    }
  }
  return {
    runId: run.config.runId,
    processId: `double-${run.config.runId}`,
    pid: 7,
    get alive() {
      return run.exit === null;
    },
    lines: read(),
    committed: (position) => {
      run.committedTo = position;
    },
    write: async (line) => run.take(line),
    signal: async () => {},
    end: async () => {
      if (!run.stubborn) run.die({ cause: "stopped", code: null, signal: "SIGKILL" });
      await exited;
    },
    exited,
    release: () => {
      run.released = true;
    },
  };
}

// What the CLI says, as short as it can be said.
export const reply = (id: string, response: Json = {}): Json => ({
  type: "control_response",
  response: { subtype: "success", request_id: id, response },
});
export const init = (sessionId: string): Json => ({
  type: "system",
  subtype: "init",
  session_id: sessionId,
  cwd: "/p",
  tools: ["Bash"],
  mcp_servers: [],
  model: "claude-x",
  permissionMode: "default",
});
export const echo = (inputId: string): Json => ({
  type: "user",
  isReplay: true,
  uuid: inputId,
  timestamp: "2026-11-30T21:00:00.000Z",
  parent_tool_use_id: null,
  message: { role: "user", content: [{ type: "text", text: "…" }] },
});
export const say = (messageId: string, text: string): Json => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: {
    id: messageId,
    role: "assistant",
    model: "claude-x",
    content: [{ type: "text", text }],
    usage: {},
  },
});
export const result = (more: Json = {}): Json => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 1,
  num_turns: 1,
  result: "",
  total_cost_usd: 0.5,
  usage: { input_tokens: 1, output_tokens: 1 },
  modelUsage: {},
  permission_denials: [],
  ...more,
});
export const ask = (requestId: string, input: Json = { command: "ls" }): Json => ({
  type: "control_request",
  request_id: requestId,
  request: {
    subtype: "can_use_tool",
    tool_name: "Bash",
    display_name: "Bash",
    input,
    tool_use_id: `tool-${requestId}`,
  },
});
export const stream = (event: Json): Json => ({
  type: "stream_event",
  parent_tool_use_id: null,
  event,
});
