/**
 * A runner without its link, on a directory of its own, for the tests of this package. Closing it
 * ends every run, checks that nothing is left of any, and removes the directory.
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SpawnConfig } from "@lodge/protocol";
import { ClaudeInteractiveAdapter } from "../claude/claude-interactive-adapter.ts";
import type { ClaudeAdapterOptions } from "../claude/claude-interactive-adapter.ts";
import type { RunDependencies } from "../runs/run.ts";
import { RunTable } from "../runs/run-table.ts";
import { hasMarkedProcess } from "../spawn/marked-processes.ts";
import { readHostId } from "../spawn/proc.ts";
import type { Spawner } from "../spawn/spawner.ts";

export type RunnerFixtureOptions = {
  readonly spawner: Spawner;
  readonly claudeBin: string;
  readonly runVariables?: Readonly<Record<string, string>>;
  readonly host?: Readonly<Record<string, string>>;
  readonly isRoot?: boolean;
  readonly maxRuns?: number;
  readonly dependencies?: Partial<RunDependencies>;
};

export type OpenRunner = { readonly table: RunTable; readonly adapter: ClaudeInteractiveAdapter };

export class RunnerFixture {
  readonly directory: string;
  readonly #options: RunnerFixtureOptions;
  readonly #open: OpenRunner[] = [];
  #claudeBin: string;
  readonly #runIds = new Set<string>();

  private constructor(directory: string, options: RunnerFixtureOptions) {
    this.directory = directory;
    this.#options = options;
    this.#claudeBin = options.claudeBin;
  }

  useClaude(path: string): void {
    this.#claudeBin = path;
  }

  static async create(options: RunnerFixtureOptions): Promise<RunnerFixture> {
    const directory = await mkdtemp(join(tmpdir(), "lodge-runner-"));
    await mkdir(join(directory, "home"));
    return new RunnerFixture(directory, options);
  }

  /** A holder of the runs; the one before it lets go of them, as a daemon that was stopped. */
  async open(): Promise<OpenRunner> {
    await this.letGo();
    const { spawner, maxRuns = 20, dependencies } = this.#options;
    const table = await RunTable.open({
      directory: join(this.directory, "runs"),
      maxRuns,
      dependencies: {
        spawner,
        hostId: readHostId(),
        now: Date.now,
        patience: { askMs: 60, terminateMs: 60 },
        punch: () => Promise.resolve(false),
        onError: (message, error) => {
          throw new Error(message, { cause: error });
        },
        ...dependencies,
      },
    });
    const opened = { table, adapter: new ClaudeInteractiveAdapter(this.adapterOptions(table)) };
    this.#open.push(opened);
    return opened;
  }

  adapterOptions(table: RunTable): ClaudeAdapterOptions {
    const { host, isRoot, runVariables } = this.#options;
    return {
      table,
      locateClaude: () =>
        Promise.resolve({ kind: "found", path: this.#claudeBin, pinnedVersion: null }),
      host: {
        PATH: process.env["PATH"] ?? "",
        HOME: join(this.directory, "home"),
        ...host,
      },
      readRunVariables: () => Promise.resolve(runVariables ?? {}),
      homes: join(this.directory, "homes"),
      isRoot: isRoot ?? process.getuid?.() === 0,
    };
  }

  config(changes: Partial<SpawnConfig> = {}): SpawnConfig {
    const runId = changes.runId ?? randomUUID();
    this.#runIds.add(runId);
    return {
      sessionId: randomUUID(),
      runId,
      userId: "user-1",
      cwd: null,
      resumeId: randomUUID(),
      resume: false,
      model: null,
      effort: null,
      permissionMode: "default",
      trust: false,
      allowBypass: false,
      ...changes,
    };
  }

  async letGo(): Promise<void> {
    for (const { table } of this.#open.splice(0)) await table.close();
  }

  async close(): Promise<void> {
    const { table } = this.#open.at(-1) ?? (await this.open());
    await table.endAll("stopped");
    await this.letGo();
    // The wrapper has said how the run ended, and is a moment from its own end.
    let left = [...this.#runIds];
    for (let tries = 0; tries < 200 && left.length > 0; tries++) {
      left = left.filter(hasMarkedProcess);
      if (left.length > 0) await delay(5);
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 3 });
    if (left.length > 0) throw new Error(`processes are left of ${left.join(", ")}`);
  }
}
