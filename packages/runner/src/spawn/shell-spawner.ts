/**
 * Starts runs by the wrapper scripts in libexec, as the user that the runner is. Two tiers share
 * everything but the command before the init and the way everything is killed:
 *
 *   pidns  the init is PID 1 of a namespace: killing it kills all, whatever it did
 *   none   only the environment marker tells what belongs to a run
 */
import { constants } from "node:fs";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SpawnError } from "@lodge/protocol";
import { findCliPid, isAlive, parseIdentity, type RunIdentity } from "./identity.ts";
import { MarkedProcesses } from "./marked-processes.ts";
import { isRunning, readStat } from "./proc.ts";
import { startDetached } from "./run-program.ts";
import type { RunRef, RunSignal, RunSpec, Spawner } from "./spawner.ts";

const LIBEXEC = fileURLToPath(new URL("../../libexec/", import.meta.url));
const NAMING_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 5_000;
const NONE: ReadonlySet<number> = new Set();
/** The wrapper needs a moment to write down how its child ended. */
const RECORD_TIMEOUT_MS = 300;

export type ShellSpawnerOptions = {
  readonly tier: "pidns" | "none";
  /** What comes before the init: nothing, or `unshare` with its flags. */
  readonly enter: readonly string[];
  /** Flags for the pump's tail: how often to look where the kernel does not tell. */
  readonly tailInterval: string;
  readonly now: () => number;
};

const openAppending = (path: string): Promise<FileHandle> =>
  open(
    path,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );

async function readIdentity(directory: string): Promise<RunIdentity | null> {
  return parseIdentity(await readFile(join(directory, "id"), "latin1"));
}

async function waitUntil(
  isTrue: () => boolean,
  options: { readonly now: () => number; readonly timeoutMs: number },
): Promise<boolean> {
  const deadline = options.now() + options.timeoutMs;
  while (!isTrue()) {
    if (options.now() >= deadline) return false;
    await delay(2);
  }
  return true;
}

export function createShellSpawner(options: ShellSpawnerOptions): Spawner {
  const { tier, now } = options;

  async function start(spec: RunSpec): Promise<RunIdentity> {
    const files: FileHandle[] = [];
    try {
      for (const name of ["stdout.ndjson", "stderr", "exit", "id"]) {
        files.push(await openAppending(join(spec.directory, name)));
      }
      const init = [
        "/bin/sh",
        join(LIBEXEC, "init.sh"),
        spec.feed,
        join(spec.directory, "stdin"),
        spec.cwd,
        options.tailInterval,
        ...spec.argv,
      ];
      const wrapper = await startDetached(
        "/bin/sh",
        [join(LIBEXEC, "run.sh"), ...options.enter, ...init],
        { env: spec.env, stdio: ["ignore", ...files.map((file) => file.fd)] },
      );
      return await waitForName(spec, wrapper);
    } finally {
      for (const file of files) await file.close();
    }
  }

  async function waitForName(
    spec: RunSpec,
    wrapper: { pid: number; exited: Promise<void> },
  ): Promise<RunIdentity> {
    let hasEnded = false;
    void wrapper.exited.then(() => {
      hasEnded = true;
    });
    const deadline = now() + NAMING_TIMEOUT_MS;
    for (;;) {
      // Ask first, read then: what the wrapper wrote before it ended is seen.
      const wasOver = hasEnded;
      const identity = await readIdentity(spec.directory);
      if (identity !== null && (identity.cli !== null || wasOver)) return identity;
      if (wasOver) {
        const said = (await readFile(join(spec.directory, "stderr"), "utf8")).trim();
        throw new SpawnError(
          "spawn_failed",
          `The process could not be started${said === "" ? "." : `: ${said.slice(-500)}`}`,
        );
      }
      if (now() >= deadline) {
        await new MarkedProcesses(spec.runId).sweep({
          spare: NONE,
          now,
          timeoutMs: KILL_TIMEOUT_MS,
        });
        throw new SpawnError("spawn_timeout", "The process did not come up in time.");
      }
      await delay(2);
    }
  }

  async function killNamespace({ runId, identity }: RunRef): Promise<void> {
    if (!isAlive(identity)) return;
    process.kill(identity.pid, "SIGKILL");
    // A killed init turns into a zombie only when nothing of its namespace is left.
    const isGone = await waitUntil(() => !isAlive(identity), { now, timeoutMs: KILL_TIMEOUT_MS });
    if (!isGone) throw new Error(`run ${runId}: its init outlives SIGKILL`);
  }

  async function killMarked({ runId, identity }: RunRef): Promise<void> {
    const marked = new MarkedProcesses(runId);
    const scripts = isAlive(identity) ? new Set([identity.pid, identity.parent]) : NONE;
    await marked.sweep({ spare: scripts, now, timeoutMs: KILL_TIMEOUT_MS });
    if (scripts.size === 0) return;
    await waitUntil(() => [...scripts].every((pid) => !isRunning(readStat(pid))), {
      now,
      timeoutMs: RECORD_TIMEOUT_MS,
    });
    await marked.sweep({ spare: NONE, now, timeoutMs: KILL_TIMEOUT_MS });
  }

  return {
    tier,
    start,
    kill: (run) => (run.tier === "none" ? killMarked(run) : killNamespace(run)),
    signal({ identity }: RunRef, signal: RunSignal): void {
      const pid = findCliPid(identity);
      if (pid === null) return;
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
}
