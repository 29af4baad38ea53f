/**
 * What /proc says about processes. Read synchronously: these files are made in memory, and a
 * decision to kill must not be older than the look it rests on.
 */
import { readFileSync, readdirSync } from "node:fs";

export type ProcessStat = {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  /** Clock ticks since boot: with the boot id it makes a pid unique. */
  readonly startTime: number;
};

/** Parses a line of /proc/<pid>/stat. The name in the middle may hold spaces and brackets. */
export function parseStat(text: string): ProcessStat | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 1 || close < open) return null;
  const rest = text
    .slice(close + 1)
    .trim()
    .split(" ");
  const pid = Number(text.slice(0, open).trim());
  const parent = Number(rest[1]);
  const startTime = Number(rest[19]);
  const state = rest[0] ?? "";
  if (![pid, parent, startTime].every(Number.isSafeInteger) || state === "") return null;
  return { pid, parent, state, startTime };
}

/** null: it is gone, or not ours to see. */
function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** null: there is no such process. */
export function readStat(pid: number): ProcessStat | null {
  const text = read(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text.toString("latin1"));
}

/** A zombie holds no files and runs no code: it counts as gone. */
export const isRunning = (stat: ProcessStat | null): stat is ProcessStat =>
  stat !== null && stat.state !== "Z" && stat.state !== "X";

export const listPids = (): number[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

export const readEnviron = (pid: number): Buffer | null => read(`/proc/${pid}/environ`);

/** The children of a process, by /proc's own list where the kernel keeps one. */
export function listChildren(pid: number): number[] {
  const list = read(`/proc/${pid}/task/${pid}/children`);
  if (list !== null) return list.toString("latin1").split(" ").filter(Boolean).map(Number);
  return listPids().filter((other) => readStat(other)?.parent === pid);
}

/** The pid of a process inside the innermost PID namespace it belongs to. */
export function readInnerPid(pid: number): number | null {
  const status = read(`/proc/${pid}/status`)?.toString("latin1") ?? "";
  const inner = /^NSpid:.*?(\d+)$/m.exec(status)?.[1];
  return inner === undefined ? null : Number(inner);
}

/** The pid that was given out last: the last field of /proc/loadavg. */
export const readLastPid = (): number =>
  Number(read("/proc/loadavg")?.toString("latin1").trim().split(" ").at(-1) ?? 0);

export const readBootId = (): string =>
  read("/proc/sys/kernel/random/boot_id")?.toString("latin1").trim() ?? "";

/**
 * Names this life of the host. A container that is started again keeps the machine's boot id but
 * has a new first process: the start time of that tells the two lives apart.
 */
export const readHostId = (): string => `${readBootId()} ${readStat(1)?.startTime ?? ""}`.trim();
