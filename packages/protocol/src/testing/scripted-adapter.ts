/**
 * A ProcessAdapter in memory, whose processes follow a script: the smallest thing that keeps the
 * contract. Its runs outlive it, as a spool outlives the daemon: give another the same `runs`.
 */
import {
  type Position,
  type ProcessAdapter,
  type ProcessExit,
  ProcessGoneError,
  type ProcessHandle,
  type ProcessLine,
  type SpawnConfig,
  type WriteReceipt,
} from "../process.ts";
import type { RunId } from "../event.ts";
import { stdinKey } from "../stdin-key.ts";
import { encodeUtf8 } from "../utf8.ts";
import type { ScriptStep } from "./script.ts";

export class ScriptedRun {
  readonly runId: RunId;
  readonly journal: string[] = [];
  readonly lines: ProcessLine[] = [];
  exit: ProcessExit | null = null;
  readonly exited: Promise<ProcessExit>;
  readonly #steps: readonly ScriptStep[];
  #next = 0;
  #unread = 0;
  #resolve: (exit: ProcessExit) => void = () => undefined;
  #wake: (() => void)[] = [];

  constructor(runId: RunId, steps: readonly ScriptStep[]) {
    this.runId = runId;
    this.#steps = steps;
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#follow();
  }

  write(line: string): WriteReceipt {
    if (this.exit) throw new ProcessGoneError();
    const key = stdinKey(line);
    const known = this.journal.findIndex((old) => key !== null && stdinKey(old) === key);
    if (known !== -1) return { journalLine: known + 1, duplicate: true };
    this.journal.push(line);
    this.#unread++;
    const receipt = { journalLine: this.journal.length, duplicate: false };
    this.#follow();
    return receipt;
  }

  end(): void {
    this.#exit({ code: null, signal: "SIGTERM", cause: "stopped" });
  }

  /** Something new may be there to be read. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #follow(): void {
    for (; this.#next < this.#steps.length && !this.exit; this.#next++) {
      const step = this.#steps[this.#next];
      if (step?.kind === "print") this.#print(step.line);
      else if (step?.kind === "cut") this.#print(step.text, true);
      else if (step?.kind === "exit")
        this.#exit({ code: step.code, signal: null, cause: "exited" });
      else if (this.#unread === 0) return;
      else this.#unread--;
    }
  }

  #print(text: string, isCut = false): void {
    const bytes = encodeUtf8(text);
    const offset = (this.lines.at(-1)?.offset ?? 0) + bytes.byteLength + (isCut ? 0 : 1);
    this.lines.push({
      line: this.lines.length + 1,
      offset,
      at: 0,
      bytes,
      ...(isCut && { cut: true as const }),
    });
    if (isCut) this.#exit({ code: 0, signal: null, cause: "exited" });
    this.#changed();
  }

  #exit(how: Omit<ProcessExit, "stderr">): void {
    if (this.exit) return;
    this.exit = { ...how, stderr: "" };
    this.#resolve(this.exit);
    this.#changed();
  }

  #changed(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

export class ScriptedAdapter implements ProcessAdapter {
  readonly runs: Map<RunId, ScriptedRun>;
  readonly #script: (config: SpawnConfig) => readonly ScriptStep[];

  constructor(
    script: (config: SpawnConfig) => readonly ScriptStep[],
    runs = new Map<RunId, ScriptedRun>(),
  ) {
    this.#script = script;
    this.runs = runs;
  }

  spawn(config: SpawnConfig): Promise<ProcessHandle> {
    const run = this.runs.get(config.runId) ?? new ScriptedRun(config.runId, this.#script(config));
    this.runs.set(config.runId, run);
    return Promise.resolve(this.#handle(run, 0));
  }

  adopt(runId: RunId, position: Position): Promise<ProcessHandle | null> {
    const run = this.runs.get(runId);
    return Promise.resolve(run ? this.#handle(run, position.line) : null);
  }

  #handle(run: ScriptedRun, after: number): ProcessHandle {
    return {
      runId: run.runId,
      processId: `scripted-${run.runId}`,
      pid: null,
      get alive() {
        return run.exit === null;
      },
      lines: linesOf(run, after),
      committed: () => undefined,
      write: async (line) => run.write(line),
      signal: async () => undefined,
      end: async () => run.end(),
      exited: run.exited,
      release: () => {
        this.runs.delete(run.runId);
      },
    };
  }
}

async function* linesOf(run: ScriptedRun, after: number): AsyncGenerator<ProcessLine> {
  for (let next = after; ; next++) {
    while (run.lines.length <= next) {
      if (run.exit) return;
      await run.changed();
    }
    const line = run.lines[next];
    if (line) yield line;
  }
}
