/**
 * The files of one run, all in one directory:
 *
 *   run.json       the intent, written before anything is started
 *   stdin          the journal: what went in
 *   stdout.ndjson  what came out; the CLI appends to it itself
 *   stderr         likewise
 *   id             who the run is, by its init
 *   exit           how it ended, by its init and its wrapper
 *   ack.json       up to where its output is safe elsewhere
 *   ending         why we ended it, written before we do
 */
import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { spawnConfigSchema, type Position, type SpawnConfig } from "@lodge/protocol";
import { z } from "zod";
import { parseIdentity, type RunIdentity } from "../spawn/identity.ts";

const FORMAT = 1;
export const STDERR_TAIL_BYTES = 16 * 1024;

const intentSchema = z.object({
  format: z.literal(FORMAT),
  config: spawnConfigSchema,
  argv: z.array(z.string()),
  cwd: z.string(),
  feed: z.enum(["pump", "file"]),
  tier: z.enum(["none", "pidns", "cgroup"]),
  hostId: z.string(),
  createdAt: z.number(),
});
export type RunIntent = z.infer<typeof intentSchema> & { readonly config: SpawnConfig };

const positionSchema = z.object({
  line: z.int().nonnegative(),
  offset: z.int().nonnegative(),
});

export type EndingCause = "stopped" | "host";

/** What the scripts wrote about the end; null: nothing (yet). */
export type ExitRecord = { readonly cli: number | null; readonly init: number | null };

export type SpoolPaths = ReturnType<typeof spoolPaths>;
export const spoolPaths = (directory: string) => ({
  directory,
  intent: join(directory, "run.json"),
  stdin: join(directory, "stdin"),
  stdout: join(directory, "stdout.ndjson"),
  stderr: join(directory, "stderr"),
  id: join(directory, "id"),
  exit: join(directory, "exit"),
  ack: join(directory, "ack.json"),
  ending: join(directory, "ending"),
});

/** null: there is no such file. */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Whole or not at all, and on the disk when it resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export async function createSpool(paths: SpoolPaths, intent: RunIntent): Promise<void> {
  await mkdir(paths.directory, { mode: 0o700, recursive: true });
  for (const path of [paths.stdin, paths.stdout, paths.stderr, paths.id, paths.exit]) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
    await (await open(path, flags, 0o600)).close();
  }
  await writeDurably(paths.intent, JSON.stringify(intent));
  await syncDirectory(paths.directory);
}

/** null: no run was recorded here, or not by a version that we can read. */
export async function readIntent(paths: SpoolPaths): Promise<RunIntent | null> {
  const text = await readIfThere(paths.intent);
  if (text === null) return null;
  try {
    const { config, ...rest } = intentSchema.parse(JSON.parse(text));
    return { ...rest, config: toSpawnConfig(config) };
  } catch {
    return null;
  }
}

/** The schema's optional prompt may be undefined, the seam's may only be absent. */
export function toSpawnConfig(config: z.infer<typeof spawnConfigSchema>): SpawnConfig {
  const { prompt, ...rest } = config;
  return prompt === undefined ? rest : { ...rest, prompt };
}

export async function readIdentity(paths: SpoolPaths): Promise<RunIdentity | null> {
  return parseIdentity((await readIfThere(paths.id)) ?? "");
}

export async function readExit(paths: SpoolPaths): Promise<ExitRecord> {
  const text = (await readIfThere(paths.exit)) ?? "";
  const code = (name: string): number | null => {
    const found = new RegExp(`^${name} (\\d+)\\n`, "m").exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  return { cli: code("cli"), init: code("ns") };
}

export async function readEnding(paths: SpoolPaths): Promise<EndingCause | null> {
  const text = await readIfThere(paths.ending);
  return text === "stopped" || text === "host" ? text : null;
}

export async function readAck(paths: SpoolPaths): Promise<Position> {
  const text = await readIfThere(paths.ack);
  try {
    return positionSchema.parse(JSON.parse(text ?? ""));
  } catch {
    // A lost acknowledgement costs disk, never a line.
    return { line: 0, offset: 0 };
  }
}

export async function readStderrTail(paths: SpoolPaths): Promise<string> {
  let file;
  try {
    file = await open(paths.stderr, "r");
  } catch {
    return "";
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, STDERR_TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await file.close();
  }
}

/** Out of sight first: a removal that is cut short must not look like a run. */
export async function removeSpool(paths: SpoolPaths): Promise<void> {
  const aside = `${paths.directory}.gone`;
  try {
    await rename(paths.directory, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
