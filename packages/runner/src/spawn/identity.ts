/**
 * Who a run is: read from the file `id`, which the run's init writes about itself. A pid alone can
 * belong to somebody else by now; with boot id and start time it cannot.
 */
import { isRunning, listChildren, parseStat, readBootId, readInnerPid, readStat } from "./proc.ts";

export type RunIdentity = {
  readonly bootId: string;
  /** The run's init, as the host counts. */
  readonly pid: number;
  readonly startTime: number;
  /** The process that waits for the init. */
  readonly parent: number;
  /** The CLI as its own namespace counts; null: the init did not get that far. */
  readonly cli: { readonly innerPid: number; readonly startTime: number } | null;
};

/** null: empty or half-written. Such a run cannot be adopted. */
export function parseIdentity(text: string): RunIdentity | null {
  const lines = text.split("\n").slice(0, -1);
  const init = /^init (\S+) (.+)$/.exec(lines[0] ?? "");
  const stat = init === null ? null : parseStat(init[2] ?? "");
  if (init === null || stat === null) return null;
  const cli = /^cli (.+)$/.exec(lines[1] ?? "");
  const cliStat = cli === null ? null : parseStat(cli[1] ?? "");
  return {
    bootId: init[1] ?? "",
    pid: stat.pid,
    startTime: stat.startTime,
    parent: stat.parent,
    cli: cliStat === null ? null : { innerPid: cliStat.pid, startTime: cliStat.startTime },
  };
}

/** Is this very process, not another of its number, still running? */
export function isAlive(identity: Pick<RunIdentity, "bootId" | "pid" | "startTime">): boolean {
  const stat = readStat(identity.pid);
  return (
    isRunning(stat) && stat.startTime === identity.startTime && readBootId() === identity.bootId
  );
}

/** The host's pid of the CLI; null: it is gone. */
export function findCliPid(identity: RunIdentity): number | null {
  const { cli } = identity;
  if (cli === null || !isAlive(identity)) return null;
  for (const pid of listChildren(identity.pid)) {
    const stat = readStat(pid);
    if (!isRunning(stat) || stat.startTime !== cli.startTime) continue;
    if (readInnerPid(pid) === cli.innerPid) return pid;
  }
  return null;
}
