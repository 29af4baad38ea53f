/**
 * All recorded runs of this runner, by run id. The directories of the spool are the table; this is
 * what they look like while the daemon lives. Processes that are not recorded here are nobody's
 * business and never touched.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  SpawnError,
  START,
  type Position,
  type ProcessHandle,
  type SpawnConfig,
} from "@lodge/protocol";
import { hasMarkedProcess } from "../spawn/marked-processes.ts";
import type { RunIdentity } from "../spawn/identity.ts";
import type { Environment } from "../spawn/run-program.ts";
import { RUN_MARKER } from "../spawn/spawner.ts";
import {
  createSpool,
  readIdentity,
  readIntent,
  spoolPaths,
  type EndingCause,
  type RunIntent,
  type SpoolPaths,
} from "../spool/run-spool.ts";
import { Journal } from "../spool/journal.ts";
import { Run, type RunDependencies, type RunOptions } from "./run.ts";

/** How a run is started: what an adapter makes of a config. */
export type RunPlan = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly feed: "pump" | "file";
  /** Already in the journal when the process starts. */
  readonly firstLine?: string;
};

export type RunTableOptions = {
  /** The directory that holds one directory per run. */
  readonly directory: string;
  readonly maxRuns: number;
  readonly dependencies: RunDependencies;
};

export type RunSummary = {
  readonly runId: string;
  readonly sessionId: string;
  readonly alive: boolean;
  readonly lastLineAt: number | null;
};

/** Run ids become names of directories. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export class RunTable {
  readonly #options: RunTableOptions;
  readonly #runs = new Map<string, Run>();
  readonly #starting = new Map<string, Promise<Run>>();

  private constructor(options: RunTableOptions) {
    this.#options = options;
  }

  /** Takes up every run that is recorded. */
  static async open(options: RunTableOptions): Promise<RunTable> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const table = new RunTable(options);
    const names = await readdir(options.directory);
    await Promise.all(names.map((name) => table.#recover(name)));
    return table;
  }

  async #recover(name: string): Promise<void> {
    const paths = spoolPaths(join(this.#options.directory, name));
    if (name.endsWith(".gone")) return rm(paths.directory, { recursive: true, force: true });
    const intent = await readIntent(paths);
    if (intent === null || intent.config.runId !== name) return undefined;
    const identity = await this.#waitForIdentity(paths, intent);
    // A start that came to nothing: without a record it can be asked for again.
    if (identity === null) return rm(paths.directory, { recursive: true, force: true });
    await this.#add({ paths, intent, identity });
    return undefined;
  }

  /** A runner that died while it started this run may have left an init that is about to name itself. */
  async #waitForIdentity(paths: SpoolPaths, intent: RunIntent): Promise<RunIdentity | null> {
    for (;;) {
      // Asked before the file is read: what the last of them wrote is seen.
      const isComing =
        intent.hostId === this.#options.dependencies.hostId &&
        hasMarkedProcess(intent.config.runId);
      const identity = await readIdentity(paths);
      if (identity !== null || !isComing) return identity;
      await delay(5);
    }
  }

  async #add(record: Pick<RunOptions, "paths" | "intent" | "identity">): Promise<Run> {
    const { dependencies } = this.#options;
    const { runId } = record.intent.config;
    const onReleased = (): void => void this.#runs.delete(runId);
    const run = await Run.open({ ...record, dependencies, onReleased });
    this.#runs.set(runId, run);
    return run;
  }

  list(): RunSummary[] {
    return [...this.#runs.values()].map((run) => ({
      runId: run.runId,
      sessionId: run.intent.config.sessionId,
      alive: run.isAlive,
      lastLineAt: run.lastLineAt,
    }));
  }

  find(runId: string): Run | null {
    return this.#runs.get(runId) ?? null;
  }

  /** Starts the run, or finds it started: asked twice, it runs once. */
  async spawn(
    config: SpawnConfig,
    plan: (config: SpawnConfig) => Promise<RunPlan>,
  ): Promise<ProcessHandle> {
    const known = this.find(config.runId);
    if (known !== null) return known.attach(START);
    let starting = this.#starting.get(config.runId);
    if (starting === undefined) {
      starting = this.#start(config, plan).finally(() => this.#starting.delete(config.runId));
      this.#starting.set(config.runId, starting);
    }
    return (await starting).attach(START);
  }

  adopt(runId: string, position: Position): ProcessHandle | null {
    return this.find(runId)?.attach(position) ?? null;
  }

  async #start(config: SpawnConfig, plan: (config: SpawnConfig) => Promise<RunPlan>): Promise<Run> {
    const { runId } = config;
    if (!RUN_ID.test(runId)) throw new SpawnError("bad_run_id", "The run's id is not usable.");
    const alive = this.list().filter((run) => run.alive).length + this.#starting.size;
    if (alive >= this.#options.maxRuns) {
      throw new SpawnError(
        "runner_full",
        `This runner already has ${this.#options.maxRuns} live processes, its limit (LODGE_MAX_RUNS).`,
      );
    }
    const { argv, cwd, env, feed, firstLine } = await plan(config);
    const { dependencies } = this.#options;
    const paths = spoolPaths(join(this.#options.directory, runId));
    const intent: RunIntent = {
      format: 1,
      config,
      argv: [...argv],
      cwd,
      feed,
      tier: dependencies.spawner.tier,
      hostId: dependencies.hostId,
      createdAt: dependencies.now(),
    };
    const { directory } = paths;
    const marked = { ...env, [RUN_MARKER]: runId };
    let identity: RunIdentity;
    try {
      await createSpool(paths, intent);
      if (firstLine !== undefined) await writeFirstLine(paths.stdin, firstLine);
      identity = await dependencies.spawner.start({
        runId,
        directory,
        cwd,
        argv,
        env: marked,
        feed,
      });
    } catch (error) {
      // Nothing runs: leave no record, so that it can be asked for again.
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
    return this.#add({ paths, intent, identity });
  }

  /** The end of the run is in the log. false: it lives. */
  async release(runId: string): Promise<boolean> {
    const run = this.find(runId);
    if (run === null) return true;
    if (run.isAlive) return false;
    await run.release();
    return true;
  }

  /** Nobody wants it: end it and drop its spool. */
  async disown(runId: string): Promise<void> {
    await this.find(runId)?.end("stopped");
    await this.release(runId);
  }

  /** Ends all that lives, side by side. Rejects with the first that could not be ended. */
  async endAll(cause: EndingCause): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.end(cause)));
  }

  /** Lets go of everything; processes live on. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.close()));
    this.#runs.clear();
  }
}

async function writeFirstLine(path: string, line: string): Promise<void> {
  const journal = await Journal.open(path);
  try {
    await journal.append(line);
  } finally {
    await journal.close();
  }
}
