/**
 * Ending what a run started where no namespace holds it: every process that carries the run's
 * marker in its environment, and whatever descends from one.
 *
 * A tree that forks and leaves its session every 2 ms outruns a walk over /proc: by the time its
 * process is looked at, it is another one. So there are two ways of looking. A walk over all finds
 * what holds still. A chase follows the kernel's own counter of pids and looks at each new process
 * within microseconds of its birth, which finds what hops. (Walks alone, twenty in a row, left such
 * trees alive; the chase has them in its first milliseconds.)
 *
 * What is found is stopped first and killed when nothing new is found: a stopped process can
 * neither fork nor orphan its children.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, listChildren, listPids, readEnviron, readLastPid, readStat } from "./proc.ts";
import { RUN_MARKER } from "./spawner.ts";

export type SweepOptions = {
  /** Pids left alone: the wrapper that is to record the end. */
  readonly spare: ReadonlySet<number>;
  readonly now: () => number;
  readonly timeoutMs: number;
};

/** The parent of all kernel threads. */
const KERNEL_THREADS = 2;
/** Ten times the life of a process that hops. It blocks the daemon, so it is not longer. */
const CHASE_MS = 20;
/** A counter that moved further was not watched: that is what the walk is for. */
const CHASE_PIDS = 256;

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

const markerOf = (runId: string): Buffer => Buffer.from(`${RUN_MARKER}=${runId}`);

/** Does any process carry this run's marker? */
export function hasMarkedProcess(runId: string): boolean {
  const marker = markerOf(runId);
  return listPids().some((pid) => {
    const environ = readEnviron(pid);
    return environ !== null && hasVariable(environ, marker) && isRunning(readStat(pid));
  });
}

export class MarkedProcesses {
  readonly #runId: string;
  readonly #marker: Buffer;
  #foreign = new Set<number>();
  /** pid → start time */
  #ours = new Map<number, number>();
  /** In the middle of an exec, when the environment reads as empty: to be looked at again. */
  #changing = new Set<number>();

  constructor(runId: string) {
    this.#runId = runId;
    this.#marker = markerOf(runId);
  }

  /** Kills them all. Resolves when none is left, rejects when some are after `timeoutMs`. */
  async sweep(options: SweepOptions): Promise<void> {
    const deadline = options.now() + options.timeoutMs;
    for (;;) {
      const found = this.#walk(options.spare) + this.#chase(options);
      if (found > 0) for (const pid of this.#remaining(options.spare)) send(pid, "SIGKILL");
      const { length } = this.#remaining(options.spare);
      if (found === 0 && length === 0) return;
      if (options.now() >= deadline) {
        throw new Error(`run ${this.#runId}: ${length} processes outlive SIGKILL`);
      }
      await delay(1);
    }
  }

  /** Stops what is new of the run and says how many those were. Looks at no foreign process twice. */
  #walk(spare: ReadonlySet<number>): number {
    const pids = listPids();
    const present = new Set(pids);
    // A number that was free may be another process's by now.
    this.#foreign = new Set([...this.#foreign].filter((pid) => present.has(pid)));
    this.#ours = new Map([...this.#ours].filter(([pid]) => present.has(pid)));
    let found = 0;
    for (const pid of pids) {
      if (!this.#foreign.has(pid) && !this.#ours.has(pid)) found += this.#inspect(pid, spare);
    }
    return found + this.#takeChildren(spare);
  }

  #chase({ spare, now }: SweepOptions): number {
    const until = now() + CHASE_MS;
    let found = 0;
    for (let seen = readLastPid(); now() < until;) {
      const last = readLastPid();
      // The counter begins again at its end.
      if (last < seen || last - seen > CHASE_PIDS) seen = last - 1;
      const again = [...this.#changing];
      this.#changing.clear();
      for (const pid of again) found += this.#inspect(pid, spare);
      for (let pid = seen + 1; pid <= last; pid++) found += this.#inspect(pid, spare);
      seen = last;
    }
    return found + this.#takeChildren(spare);
  }

  /** Those that were given another environment: known by their parents, which are stopped. */
  #takeChildren(spare: ReadonlySet<number>): number {
    let found = 0;
    for (const parent of this.#ours.keys()) {
      if (spare.has(parent)) continue;
      for (const child of listChildren(parent)) found += this.#take(child, spare);
    }
    return found;
  }

  #inspect(pid: number, spare: ReadonlySet<number>): number {
    if (pid === process.pid) return 0;
    const environ = readEnviron(pid);
    if (environ !== null && hasVariable(environ, this.#marker)) return this.#take(pid, spare);
    if (environ !== null && environ.byteLength === 0 && !isLifeless(pid)) this.#changing.add(pid);
    else this.#foreign.add(pid);
    return 0;
  }

  #take(pid: number, spare: ReadonlySet<number>): number {
    const stat = readStat(pid);
    if (!isRunning(stat) || this.#ours.get(pid) === stat.startTime) return 0;
    this.#ours.set(pid, stat.startTime);
    if (spare.has(pid)) return 0;
    send(pid, "SIGSTOP");
    return 1;
  }

  #remaining(spare: ReadonlySet<number>): number[] {
    return [...this.#ours].flatMap(([pid, startTime]) => {
      const stat = readStat(pid);
      const isLeft = isRunning(stat) && stat.startTime === startTime && !spare.has(pid);
      return isLeft ? [pid] : [];
    });
  }
}

/** A zombie (where nobody reaps orphans there can be thousands) or a kernel thread. */
function isLifeless(pid: number): boolean {
  const stat = readStat(pid);
  return !isRunning(stat) || stat.parent === KERNEL_THREADS || pid === KERNEL_THREADS;
}
