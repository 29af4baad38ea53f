/** Where things are: the programs of this checkout, and our files in the data directory. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Complaint, reasonOf } from "./complaint.ts";

/** The same from `src`, in tests, and from `dist`. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

export interface Programs {
  readonly api: string;
  readonly runner: string;
  readonly model: string;
}

export const PROGRAMS: Programs = {
  api: join(ROOT, "apps/api/dist/main.js"),
  runner: join(ROOT, "packages/runner/dist/main.js"),
  model: join(ROOT, "tools/dist/model-server/main.js"),
};

export interface DataDir {
  readonly path: string;
  readonly lock: string;
  readonly records: string;
  readonly runnerToken: string;
  readonly postgres: string;
  log(name: string): string;
}

export function version(): string {
  const { version: text } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  return text;
}

export function openDataDir(path: string): DataDir {
  const logs = join(path, "logs");
  try {
    // Root's PostgreSQL runs as another account, which must get through here, but has nothing to list.
    mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const probe = join(path, `.writable-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new Complaint(
      `The data directory ${path} is not writable (${reasonOf(error)}); set LODGE_DATA_DIR to one that is.`,
    );
  }
  return {
    path,
    lock: join(path, "lodge.lock"),
    records: join(path, "processes.json"),
    runnerToken: join(path, "runner-token"),
    postgres: join(path, "postgres"),
    log: (name) => join(logs, `${name}.log`),
  };
}
