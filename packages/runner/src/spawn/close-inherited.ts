/**
 * Closes descriptors that whoever started the daemon left open in it. Node opens its own with
 * close-on-exec; those without it were inherited, and would go on into every run (seen: one of
 * number 251 reached the model's shell).
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"));
    return flags?.[1] !== undefined && (Number.parseInt(flags[1], 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The descriptor of the listing itself.
    return false;
  }
}

/** `keep`: one more that is wanted, such as a supervisor's channel. */
export function closeInherited(keep?: number): number[] {
  const inherited = readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd > 2 && fd !== keep && isInherited(fd));
  for (const fd of inherited) closeSync(fd);
  return inherited;
}
