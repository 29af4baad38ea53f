/**
 * The runner put together: what main hands over becomes a table of runs, an adapter and a link.
 *
 *   open: lock ─► isolation tried ─► recorded runs adopted ─► link
 *   stop: the daemon goes, runs live on     endHost: runs end, the api hears of it
 */
import { mkdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RunnerFacts } from "@lodge/protocol";
import type { Logger } from "pino";
import { ClaudeInteractiveAdapter } from "./claude/claude-interactive-adapter.ts";
import type { ClaudeBin } from "./claude/find-claude-bin.ts";
import { createLocateClaude } from "./claude/locate-claude.ts";
import { readRunVariables } from "./claude/run-variables.ts";
import { takeDaemonLock } from "./daemon-lock.ts";
import { dial } from "./link/dial.ts";
import { Link } from "./link/link.ts";
import { END_PATIENCE } from "./runs/end-run.ts";
import { createRunHost } from "./runs/run-host.ts";
import { RunTable } from "./runs/run-table.ts";
import type { Settings } from "./settings.ts";
import { probeSpawner } from "./spawn/probe-spawner.ts";
import { readHostId } from "./spawn/proc.ts";
import { runProgram } from "./spawn/run-program.ts";
import { writeDurably } from "./spool/run-spool.ts";

const RELEASE_MS = 5_000;

export type DaemonOptions = {
  readonly settings: Settings;
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly version: string;
  readonly log: Logger;
};

export type Daemon = {
  readonly stop: () => Promise<void>;
  readonly endHost: () => Promise<void>;
};

/** Another daemon has the data directory. */
export class DirectoryTakenError extends Error {
  constructor(directory: string, pid: number) {
    super(`The data directory ${directory} is in use by another runner (pid ${pid}).`);
    this.name = "DirectoryTakenError";
  }
}

export async function openDaemon(options: DaemonOptions): Promise<Daemon> {
  const { settings, host, isRoot, log } = options;
  const directory = join(settings.dataDir, "runner");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await takeDaemonLock(join(directory, "daemon.lock"));
  if (lock.kind === "taken") throw new DirectoryTakenError(directory, lock.pid);
  const { release } = lock;

  const onError = (message: string, error: unknown): void => log.error({ err: error }, message);
  const helperEnv = { PATH: host["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin" };
  const spawner = await probeSpawner({ isRoot, env: helperEnv, now: Date.now });
  const table = await RunTable.open({
    directory: join(directory, "runs"),
    maxRuns: settings.maxRuns,
    dependencies: {
      spawner,
      hostId: readHostId(),
      now: Date.now,
      patience: END_PATIENCE,
      onError,
      punch: async (path, bytes) => {
        const args = ["--punch-hole", "--offset", "0", "--length", String(bytes), path];
        const { code } = await runProgram("fallocate", args, { env: helperEnv, timeoutMs: 10_000 });
        return code === 0;
      },
    },
  });
  const locateClaude = createLocateClaude({
    setting: settings.claudeBin,
    host,
    binDirectory: join(settings.dataDir, "bin"),
    isRoot,
    onError,
  });
  const adapter = new ClaudeInteractiveAdapter({
    table,
    locateClaude,
    host,
    homes: join(settings.dataDir, "homes"),
    isRoot,
    readRunVariables: async () => {
      const { variables, refused } = await readRunVariables(settings.runEnvFile);
      if (refused.length > 0) log.warn({ refused }, "variables for runs were refused");
      return variables;
    },
  });

  const readVersion = createReadVersion(helperEnv);
  const facts = async (): Promise<RunnerFacts> => {
    const bin = await locateClaude();
    const problem =
      bin.kind === "missing"
        ? bin.problem
        : await readRunVariables(settings.runEnvFile).then(
            () => null,
            (error: Error) => error.message,
          );
    return {
      tier: spawner.tier,
      accounts: false,
      hostname: hostname(),
      claudeBin: bin.kind === "found" ? bin.path : null,
      cliVersion: await readVersion(bin),
      problem,
    };
  };

  const generationFile = join(directory, "generation");
  let generation = Number(await readFile(generationFile, "utf8").catch(() => "0")) || 0;
  const link = new Link({
    dial: (events) => dial({ apiUrl: settings.apiUrl, token: settings.token }, events),
    host: createRunHost(table, adapter),
    runnerId: settings.runnerId,
    version: options.version,
    facts,
    nextGeneration: async () => {
      generation += 1;
      await writeDurably(generationFile, String(generation));
      return generation;
    },
    clock: {
      now: () => performance.now(),
      defer: setImmediate,
      every: (ms, run) => {
        const timer = setInterval(run, ms);
        return () => clearInterval(timer);
      },
    },
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    onError,
    onConnected: () => log.info({ generation, tier: spawner.tier }, "connected"),
    onDisconnected: (reason, retryMs) => log.warn({ reason, retryMs }, "not connected"),
  });
  link.start();

  async function stop(): Promise<void> {
    link.stop();
    await table.close();
    await release();
  }

  return {
    stop,
    endHost: async () => {
      await table
        .endAll("host")
        .catch((error: unknown) => onError("a run could not be ended", error));
      // The api is told of each end and then lets go of it; what it does not hear now it hears at the next start.
      const deadline = performance.now() + RELEASE_MS;
      while (table.list().length > 0 && performance.now() < deadline) await delay(20);
      await stop();
    },
  };
}

/** Asked once per program: it takes a real CLI a while to say. */
function createReadVersion(env: Readonly<Record<string, string>>) {
  const versions = new Map<string, string | null>();
  return async (bin: ClaudeBin): Promise<string | null> => {
    if (bin.kind === "missing") return null;
    if (bin.pinnedVersion !== null) return bin.pinnedVersion;
    const known = versions.get(bin.path);
    if (known !== undefined) return known;
    const { stdout } = await runProgram(bin.path, ["--version"], { env, timeoutMs: 10_000 });
    const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null;
    versions.set(bin.path, version);
    return version;
  };
}
