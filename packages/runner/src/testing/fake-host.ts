/** Runs that say what a test tells them to, for the tests of the link. */
import {
  ProcessGoneError,
  type Position,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
} from "@lodge/protocol";
import { RunRefusal, type RunHost } from "../runs/run-host.ts";
import { Wakeup } from "../spool/wakeup.ts";

export class FakeRun {
  readonly runId: string;
  readonly lines: ProcessLine[] = [];
  readonly written: string[] = [];
  /** How many lines were asked of it, over all readings. */
  taken = 0;
  committed: Position | null = null;
  exit: ProcessExit | null = null;
  /** What every write to it fails with. */
  failure: Error | null = null;
  readonly #news = new Wakeup();
  readonly exited: Promise<ProcessExit>;
  #resolve: (exit: ProcessExit) => void = () => undefined;

  constructor(runId: string) {
    this.runId = runId;
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  print(...texts: readonly (string | Buffer)[]): void {
    for (const text of texts) {
      const bytes = Buffer.from(text);
      const before = this.lines.at(-1)?.offset ?? 0;
      const line = this.lines.length + 1;
      this.lines.push({ line, offset: before + bytes.byteLength + 1, at: 7, bytes });
    }
    this.#news.wake();
  }

  end(exit: Partial<ProcessExit> = {}): void {
    this.exit = { code: 0, signal: null, cause: "exited", stderr: "", ...exit };
    this.#resolve(this.exit);
    this.#news.wake();
  }

  async *#read(from: Position): AsyncGenerator<ProcessLine> {
    for (let index = from.line; ; index++) {
      for (;;) {
        const generation = this.#news.generation;
        if (index < this.lines.length) break;
        if (this.exit !== null) return;
        await this.#news.after(generation);
      }
      const line = this.lines[index];
      if (line === undefined) return;
      this.taken += 1;
      yield line;
    }
  }

  attach(from: Position): ProcessHandle {
    const isAlive = (): boolean => this.exit === null;
    return {
      runId: this.runId,
      processId: `process of ${this.runId}`,
      pid: 4711,
      get alive() {
        return isAlive();
      },
      lines: this.#read(from),
      committed: (position) => {
        this.committed = position;
      },
      write: () => Promise.reject(new Error("not by the handle")),
      signal: () => Promise.resolve(),
      end: () => Promise.resolve(),
      exited: this.exited,
      release: () => undefined,
    };
  }
}

export type FakeHost = RunHost & {
  readonly runs: Map<string, FakeRun>;
  readonly disowned: string[];
  readonly add: (runId: string) => FakeRun;
};

export function createFakeHost(): FakeHost {
  const runs = new Map<string, FakeRun>();
  const disowned: string[] = [];
  const require = (runId: string): FakeRun => {
    const run = runs.get(runId);
    if (run === undefined) throw new RunRefusal("unknown_run", "No such run.");
    return run;
  };
  return {
    runs,
    disowned,
    add: (runId) => {
      const run = new FakeRun(runId);
      runs.set(runId, run);
      return run;
    },
    list: () =>
      [...runs.values()].map(({ runId, exit }) => ({
        runId,
        sessionId: `session of ${runId}`,
        alive: exit === null,
        lastLineAt: null,
      })),
    spawn: (config) => Promise.reject(new RunRefusal("spawn_failed", `Not ${config.runId}.`)),
    adopt: (runId, position) => Promise.resolve(runs.get(runId)?.attach(position) ?? null),
    write: async (runId, line) => {
      const run = require(runId);
      if (run.exit !== null) throw new ProcessGoneError();
      if (run.failure !== null) throw run.failure;
      run.written.push(line);
      return { journalLine: run.written.length, duplicate: false };
    },
    signal: (runId) => void require(runId),
    end: async (runId) => require(runId).end({ cause: "stopped" }),
    release: async (runId) => void runs.delete(runId),
    disown: async (runId) => void disowned.push(runId),
  };
}
