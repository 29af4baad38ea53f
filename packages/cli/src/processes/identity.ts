/**
 * Who a process is: a pid alone may by now be somebody else. A pid with its start time, in the same boot, is one
 * process for ever, so every signal to a process that we found written down is preceded by this comparison.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot: field 22 of /proc/<pid>/stat. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Undefined when there is no such process, or only its zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.state === "Z" || stat.state === "X") return undefined;
  return { pid, startTime: stat.startTime, bootId: bootId() };
}

export function isAlive(identity: ProcessIdentity): boolean {
  const now = identify(identity.pid);
  return now?.startTime === identity.startTime && now.bootId === identity.bootId;
}

export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // It ended in between, or is not ours to signal: whoever waits for its end will see which.
  }
}

export function parentOf(pid: number): { pid: number; name: string } | undefined {
  const parent = readStat(pid)?.parent;
  const name = parent === undefined ? undefined : readStat(parent)?.name;
  return parent === undefined || name === undefined ? undefined : { pid: parent, name };
}

export interface Rung {
  readonly signal: NodeJS.Signals;
  /** How long it may take to end after this signal, before the next one is sent. */
  readonly patienceMs: number;
}

const HURRIED_MS = 1_000;
const LOOK_EVERY_MS = 20;

/** Signals rung after rung until the process is gone. `hurry` shortens every patience that is left. */
export async function endProcess(
  identity: ProcessIdentity,
  ladder: readonly Rung[],
  hurry?: AbortSignal,
): Promise<void> {
  for (const { signal, patienceMs } of ladder) {
    signalProcess(identity, signal);
    const since = performance.now();
    let hurriedAt: number | undefined;
    while (isAlive(identity)) {
      const now = performance.now();
      if (hurry?.aborted === true) hurriedAt ??= now;
      if (now - since > patienceMs || (hurriedAt !== undefined && now - hurriedAt > HURRIED_MS))
        break;
      await sleep(LOOK_EVERY_MS);
    }
    if (!isAlive(identity)) return;
  }
}

interface Stat {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly startTime: string;
}

function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name is in parentheses and may contain anything, spaces and parentheses too.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const fields = text.slice(close + 2).split(" ");
  const [state, parent, startTime] = [fields[0], fields[1], fields[19]];
  if (state === undefined || parent === undefined || startTime === undefined) return undefined;
  return { name: text.slice(open + 1, close), state, parent: Number(parent), startTime };
}

let knownBootId: string | undefined;
function bootId(): string {
  knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return knownBootId;
}
