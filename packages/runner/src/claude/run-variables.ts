/** Reads the file of variables for runs anew for each of them: a changed key needs no restart. */
import { readFile } from "node:fs/promises";
import { SpawnError } from "@lodge/protocol";
import { parseRunEnvFile, type RunEnvFile } from "./run-env-file.ts";

const NONE: RunEnvFile = { variables: {}, refused: [] };

/** Rejects with SpawnError when the file that is set cannot be read. */
export async function readRunVariables(path: string | undefined): Promise<RunEnvFile> {
  if (path === undefined) return NONE;
  try {
    return parseRunEnvFile(await readFile(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SpawnError(
      "run_env_unreadable",
      `The file of variables for runs, ${path} (LODGE_RUN_ENV_FILE), cannot be read: ${code}.`,
      { cause: error },
    );
  }
}
