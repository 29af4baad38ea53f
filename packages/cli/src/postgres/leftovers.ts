/**
 * Finds and ends what still runs on a cluster after somebody was killed. A PostgreSQL process is known by its working
 * directory, which is the cluster's; compared by inode, so it does not matter under which name it was mounted.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  endProcess,
  identify,
  type ProcessIdentity,
  type Rung,
  signalProcess,
} from "../processes/identity.ts";

/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, after which it recovers from its log. */
export const POSTGRES_LADDER: readonly Rung[] = [
  { signal: "SIGINT", patienceMs: 20_000 },
  { signal: "SIGQUIT", patienceMs: 5_000 },
  { signal: "SIGKILL", patienceMs: 5_000 },
];

const PROGRAMS = ["postgres", "initdb"];
const STRAGGLERS_MS = 5_000;

export async function endLeftovers(data: string, patienceMs = STRAGGLERS_MS): Promise<void> {
  const found = processesIn(data);
  if (found.length > 0) {
    const first = found.find(({ pid }) => pid === postmasterPid(data));
    if (first !== undefined) await endProcess(first, POSTGRES_LADDER);
    // Backends notice a dead postmaster by themselves. The next one must not start before the last is gone.
    const since = performance.now();
    while (processesIn(data).length > 0) {
      if (performance.now() - since >= patienceMs)
        for (const one of processesIn(data)) signalProcess(one, "SIGKILL");
      await sleep(20);
    }
  }
  // With nothing left alive on the cluster this file is stale, even if its pid is by now some other program's,
  // in which case PostgreSQL itself would refuse to start.
  rmSync(join(data, "postmaster.pid"), { force: true });
}

/** Whether the postmaster with this pid accepts connections: it says so on line 8 of its file. */
export function isAccepting(data: string, pid: number): boolean {
  const lines = readPidFile(data);
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

function postmasterPid(data: string): number {
  return Number(readPidFile(data)[0]);
}

function readPidFile(data: string): string[] {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function processesIn(data: string): ProcessIdentity[] {
  const home = statSync(data, { throwIfNoEntry: false });
  if (home === undefined) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!PROGRAMS.includes(readFileSync(`/proc/${name}/comm`, "utf8").trim())) return [];
      const { dev, ino } = statSync(`/proc/${name}/cwd`);
      const identity = dev === home.dev && ino === home.ino ? identify(Number(name)) : undefined;
      return identity === undefined ? [] : [identity];
    } catch {
      // It ended while we looked, or it is another user's and so not of this cluster.
      return [];
    }
  });
}
