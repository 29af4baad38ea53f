/**
 * From a config to what is started: program, arguments, directory, environment. Everything that can
 * be known to be wrong is said here, in words for the person who wanted the run.
 */
import { access, mkdir, stat } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import { SpawnError, type SpawnConfig } from "@lodge/protocol";
import type { RunPlan } from "../runs/run-table.ts";
import { claudeArgs } from "./claude-args.ts";
import { runEnvironment } from "./environment.ts";
import type { ClaudeBin } from "./find-claude-bin.ts";

export type PlanOptions = {
  readonly locateClaude: () => Promise<ClaudeBin>;
  /** The daemon's environment, of which a few names are passed on. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** The variables every run gets. Rejects with SpawnError. */
  readonly readRunVariables: () => Promise<Readonly<Record<string, string>>>;
  /** Where users without a directory of their choice work. */
  readonly homes: string;
  readonly isRoot: boolean;
};

/** Ids become names of directories. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A directory of the session's own, the same for every run of it: a transcript is bound to its directory. */
async function ownDirectory(homes: string, { userId, sessionId }: SpawnConfig): Promise<string> {
  if (!ID.test(userId) || !ID.test(sessionId)) {
    throw new SpawnError("bad_config", "The ids of user and session are not usable as names.");
  }
  const directory = join(homes, userId, sessionId);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}

async function requireDirectory(path: string): Promise<string> {
  if (!path.startsWith("/") || path.includes("\0")) {
    throw new SpawnError("cwd_missing", `The working directory “${path}” is not an absolute path.`);
  }
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new SpawnError("cwd_missing", `The working directory ${path} does not exist.`);
  }
  if (!found.isDirectory()) {
    throw new SpawnError("cwd_missing", `The working directory ${path} is not a directory.`);
  }
  try {
    await access(path, constants.R_OK | constants.X_OK);
  } catch {
    throw new SpawnError("cwd_missing", `The working directory ${path} may not be entered.`);
  }
  return path;
}

/** All but how stdin is fed, which is the adapter's. */
export async function planRun(
  config: SpawnConfig,
  options: PlanOptions,
): Promise<Pick<RunPlan, "argv" | "cwd" | "env">> {
  const runVariables = await options.readRunVariables();
  // With this variable an admin says that root is root of a container only.
  const canBypass = !options.isRoot || runVariables["IS_SANDBOX"] === "1";
  const args = claudeArgs(config, { canBypass });
  const bin = await options.locateClaude();
  if (bin.kind === "missing") throw new SpawnError("cli_missing", bin.problem);
  const cwd =
    config.cwd === null
      ? await ownDirectory(options.homes, config)
      : await requireDirectory(config.cwd);
  const environment = runEnvironment({ host: options.host, runVariables });
  return { argv: [bin.path, ...args], cwd, env: { ...environment, PWD: cwd } };
}
