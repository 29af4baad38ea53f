/**
 * Ending what a run started where no namespace holds it: every process that carries the run's
 * marker in its environment, and whatever descends from one.
 *
 * A tree that forks and leaves its session every 2 ms outruns a walk over /proc that looks at
 * everything. So: a process once known as foreign is not looked at again, which makes a walk a
 * fraction of a millisecond; and first all are stopped, until a walk finds no new one, and only
 * then killed: a stopped process can neither fork nor orphan its children.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, listPids, readEnviron, readStat } from "./proc.ts";
import { RUN_MARKER } from "./spawner.ts";

export type SweepOptions = {
  readonly runId: string;
  /** Pids left alone: the wrapper that is to record the end. */
  readonly spare: ReadonlySet<number>;
  readonly now: () => number;
  readonly timeoutMs: number;
};

type Walk = {
  readonly marker: Buffer;
  readonly spare: ReadonlySet<number>;
  readonly foreign: Set<number>;
  /** pid → start time */
  readonly ours: Map<number, number>;
};

function send(pid: number, signal: "SIGSTOP" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or (a setuid program) not ours to end.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Does an environment block hold this `NAME=value`? */
export function hasVariable(environ: Buffer, variable: Buffer): boolean {
  for (let at = environ.indexOf(variable); at >= 0; at = environ.indexOf(variable, at + 1)) {
    const startsHere = at === 0 || environ[at - 1] === 0;
    const end = at + variable.byteLength;
    if (startsHere && (end === environ.byteLength || environ[end] === 0)) return true;
  }
  return false;
}

/** Does any process carry this run's marker? */
export function hasMarkedProcess(runId: string): boolean {
  const marker = Buffer.from(`${RUN_MARKER}=${runId}`);
  return listPids().some((pid) => {
    if (!isRunning(readStat(pid))) return false;
    const environ = readEnviron(pid);
    return environ !== null && hasVariable(environ, marker);
  });
}

/** One walk over /proc: stops what is new of the run and says how many those were. */
function stopNewcomers(walk: Walk): number {
  let found = 0;
  for (const pid of listPids()) {
    if (walk.foreign.has(pid) || walk.spare.has(pid)) continue;
    const stat = readStat(pid);
    if (!isRunning(stat) || walk.ours.get(pid) === stat.startTime) continue;
    const environ = readEnviron(pid);
    const isOurs =
      walk.ours.has(stat.parent) || (environ !== null && hasVariable(environ, walk.marker));
    if (isOurs) {
      send(pid, "SIGSTOP");
      walk.ours.set(pid, stat.startTime);
      found += 1;
    } else if (environ === null || environ.byteLength > 0 || stat.parent === 2) {
      walk.foreign.add(pid);
    }
    // Otherwise it is in the middle of an exec, when the block is empty: look again next time.
  }
  return found;
}

const remaining = (ours: ReadonlyMap<number, number>): number[] =>
  [...ours].flatMap(([pid, startTime]) => {
    const stat = readStat(pid);
    return isRunning(stat) && stat.startTime === startTime ? [pid] : [];
  });

/** Kills them all. Resolves when none is left, rejects when some are after `timeoutMs`. */
export async function sweepMarked(options: SweepOptions): Promise<void> {
  const walk: Walk = {
    marker: Buffer.from(`${RUN_MARKER}=${options.runId}`),
    spare: options.spare,
    foreign: new Set([process.pid]),
    ours: new Map(),
  };
  const deadline = options.now() + options.timeoutMs;
  for (;;) {
    let found = 0;
    // Two empty walks: a fork can lie between the list of pids and the look at its parent.
    for (let calm = 0; calm < 2 && options.now() < deadline;) {
      const newcomers = stopNewcomers(walk);
      found += newcomers;
      calm = newcomers === 0 ? calm + 1 : 0;
    }
    for (const pid of remaining(walk.ours)) send(pid, "SIGKILL");
    if (found === 0 && remaining(walk.ours).length === 0) return;
    if (options.now() >= deadline) {
      throw new Error(
        `run ${options.runId}: ${remaining(walk.ours).length} processes outlive SIGKILL`,
      );
    }
    await delay(1);
  }
}
