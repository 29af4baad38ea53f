/**
 * Finds out, by trying, what this host allows, and gives the strongest spawner that works.
 */
import { runProgram, type Environment } from "./run-program.ts";
import { createShellSpawner } from "./shell-spawner.ts";
import type { Spawner } from "./spawner.ts";

/** Mounts made by the run stay in it; the host's later ones arrive (a home that is mounted on use). */
const AS_ROOT = ["unshare", "--pid", "--mount", "--fork", "--mount-proc", "--propagation", "slave"];
const AS_PERSON = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--mount-proc"];

export type ProbeOptions = {
  readonly isRoot: boolean;
  readonly env: Environment;
  readonly now: () => number;
};

/** How to enter a PID namespace here; null: not allowed, or `unshare` is missing. */
export async function probeNamespace(options: ProbeOptions): Promise<readonly string[] | null> {
  const enter = [...(options.isRoot ? AS_ROOT : AS_PERSON), "--"];
  const [command = "", ...flags] = enter;
  // The scripts need a /proc of their own in there, so it is looked at too.
  const inside = ["/bin/sh", "-c", "read -r pid rest </proc/self/stat && test -e /proc/1/stat"];
  const { code } = await runProgram(command, [...flags, ...inside], {
    env: options.env,
    timeoutMs: 5_000,
  });
  return code === 0 ? enter : null;
}

/**
 * Where inotify does not reach (an overlay file system), tail looks once a second, which every
 * follow-up would wait for. Not every tail takes fractions.
 */
export async function probeTailInterval(env: Environment): Promise<string> {
  const { code } = await runProgram("tail", ["-s", "0.05", "-n", "1", "/dev/null"], {
    env,
    timeoutMs: 5_000,
  });
  return code === 0 ? "-s 0.05" : "";
}

export async function probeSpawner(options: ProbeOptions): Promise<Spawner> {
  const tailInterval = await probeTailInterval(options.env);
  const enter = await probeNamespace(options);
  return createShellSpawner({
    tier: enter === null ? "none" : "pidns",
    enter: enter ?? [],
    tailInterval,
    now: options.now,
  });
}
