/**
 * One supervisor per data directory. The kernel holds the lock (flock on an open file), so it ends with us however we
 * end, and there is no stale lock to judge. What is written in the file only says who holds it.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Complaint } from "../complaint.ts";
import { endProcess, identify, isAlive, parentOf, type ProcessIdentity } from "./identity.ts";
import { isIdentity } from "./records.ts";
import { run } from "./run.ts";

const WAIT_FOR_ENDING_MS = 60_000;

interface Holder {
  readonly self: ProcessIdentity;
  /** The npm that started it, if one did. */
  readonly launcher: ProcessIdentity | null;
  readonly isEnding: boolean;
}

export interface Lock {
  /** Says to whoever comes next that waiting is worth while. */
  announceEnd(): void;
  release(): void;
}

export async function holdLock(path: string, say: (line: string) => void): Promise<Lock> {
  const fd = openSync(path, "a+", 0o600);
  try {
    await acquire(fd, path, say);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const self = identify(process.pid);
  const write = (isEnding: boolean): void => {
    if (self === undefined) return;
    const holder: Holder = { self, launcher: findLauncher() ?? null, isEnding };
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(holder));
  };
  write(false);
  return { announceEnd: () => write(true), release: () => closeSync(fd) };
}

async function acquire(fd: number, path: string, say: (line: string) => void): Promise<void> {
  let isWaiting = false;
  for (
    const since = performance.now();
    performance.now() - since < WAIT_FOR_ENDING_MS;
    await sleep(50)
  ) {
    if (await tryLock(fd)) return;
    const holder = readHolder(path);
    if (holder?.isEnding === true) {
      if (!isWaiting) say("Waiting for the Lodge before this one to end …");
      isWaiting = true;
    } else if (holder !== undefined && isOrphaned(holder)) {
      // `kill -9` of npm leaves its child running, unseen. To whoever types `npm start` again that is a leftover.
      await endProcess(holder.self, [{ signal: "SIGKILL", patienceMs: 5_000 }]);
    } else {
      const who = holder === undefined ? "another process" : `process ${holder.self.pid}`;
      throw new Complaint(`Lodge is already running on ${path.replace(/\/[^/]*$/, "")} (${who}).`);
    }
  }
  throw new Complaint(`The Lodge before this one does not end; its lock is ${path}.`);
}

async function tryLock(fd: number): Promise<boolean> {
  const { code, output } = await run("flock", ["--exclusive", "--nonblock", "3"], { fd });
  if (code > 1) throw new Complaint(`The command flock (package util-linux) is needed: ${output}.`);
  return code === 0;
}

function isOrphaned({ self, launcher }: Holder): boolean {
  return launcher !== null && !isAlive(launcher) && isAlive(self);
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as Holder;
    return isIdentity(holder.self) ? holder : undefined;
  } catch {
    // It was being written just now; the next look will tell.
    return undefined;
  }
}

/** npm names itself after what it runs. Between it and us there may be a shell. */
function findLauncher(): ProcessIdentity | undefined {
  let parent = parentOf(process.pid);
  for (let steps = 0; parent !== undefined && steps < 3; steps++) {
    if (parent.name.startsWith("npm")) return identify(parent.pid);
    parent = parentOf(parent.pid);
  }
  return undefined;
}
