/**
 * Finds out, by trying, what this host allows, and gives the strongest spawner that works.
 */
import { runProgram, type Environment } from "./run-program.ts";
import { createShellSpawner } from "./shell-spawner.ts";
import type { Spawner } from "./spawner.ts";

/** Mounts made by the run stay in it; the host's later ones arrive (a home that is mounted on use). */
export const AS_ROOT = [
  "unshare",
  "--pid",
  "--mount",
  "--fork",
  "--mount-proc",
  "--propagation",
  "slave",
  "--",
];
export const AS_PERSON = [
  "unshare",
  "--user",
  "--map-current-user",
  "--pid",
  "--fork",
  "--mount-proc",
  "--",
];

export type ProbeOptions = {
  readonly isRoot: boolean;
  readonly env: Environment;
  readonly now: () => number;
};

/** Does this way into a PID namespace work here? */
export async function probeEnter(enter: readonly string[], env: Environment): Promise<boolean> {
  const [command = "", ...flags] = enter;
  // The scripts need a /proc of their own in there, so it is looked at too.
  const inside = ["/bin/sh", "-c", 'read -r pid rest </proc/self/stat && test "$pid" = 1'];
  const { code } = await runProgram(command, [...flags, ...inside], { env, timeoutMs: 5_000 });
  return code === 0;
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

export async function probeSpawner({ isRoot, env, now }: ProbeOptions): Promise<Spawner> {
  const tailInterval = await probeTailInterval(env);
  const enter = isRoot ? AS_ROOT : AS_PERSON;
  return (await probeEnter(enter, env))
    ? createShellSpawner({ tier: "pidns", enter, tailInterval, now })
    : createShellSpawner({ tier: "none", enter: [], tailInterval, now });
}
