/** Every way of starting runs that this host allows, each by its name, and why one is left out. */
import { createShellSpawner } from "../spawn/shell-spawner.ts";
import { AS_PERSON, AS_ROOT, probeEnter } from "../spawn/probe-spawner.ts";
import type { Spawner } from "../spawn/spawner.ts";

export type NamedSpawner = {
  readonly name: string;
  readonly spawner: Spawner;
  /** null: it works here. */
  readonly missing: string | null;
};

const env = { PATH: process.env["PATH"] ?? "" };
const isRoot = process.getuid?.() === 0;

const spawnerOf = (tier: "none" | "pidns", enter: readonly string[]): Spawner =>
  createShellSpawner({ tier, enter, tailInterval: "", now: Date.now });

async function namespace(name: string, enter: readonly string[]): Promise<NamedSpawner> {
  const works = await probeEnter(enter, env);
  return {
    name: works ? name : `${name} (skipped: unshare is not allowed here)`,
    spawner: spawnerOf("pidns", enter),
    missing: works ? null : "unshare is not allowed here",
  };
}

export const spawners: readonly NamedSpawner[] = [
  { name: "no namespace", spawner: spawnerOf("none", []), missing: null },
  ...(isRoot ? [await namespace("PID namespace as root", AS_ROOT)] : []),
  await namespace("PID namespace in a user namespace", AS_PERSON),
];
