/**
 * One daemon per data directory: two would write one journal. The lock names its holder so that
 * nobody else is taken for it; a holder that is gone (killed, or of before a reboot) holds nothing.
 */
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { isAlive } from "./spawn/identity.ts";
import { readBootId, readStat } from "./spawn/proc.ts";

export type DaemonLock =
  | { readonly kind: "held"; readonly release: () => Promise<void> }
  | { readonly kind: "taken"; readonly pid: number };

const parseHolder = (text: string): { bootId: string; pid: number; startTime: number } | null => {
  const [bootId = "", pid, startTime] = text.trim().split(" ");
  const holder = { bootId, pid: Number(pid), startTime: Number(startTime) };
  return Number.isSafeInteger(holder.pid) && Number.isSafeInteger(holder.startTime) ? holder : null;
};

export async function takeDaemonLock(path: string): Promise<DaemonLock> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${readBootId()} ${process.pid} ${readStat(process.pid)?.startTime}\n`);
  try {
    for (;;) {
      try {
        // A link is made or refused in one step, and never seen half-written.
        await link(draft, path);
        return { kind: "held", release: () => rm(path, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const holder = parseHolder(await readFile(path, "latin1").catch(() => ""));
      if (holder !== null && holder.pid !== process.pid && isAlive(holder)) {
        return { kind: "taken", pid: holder.pid };
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}
