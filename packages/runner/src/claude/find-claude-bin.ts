/**
 * Which Claude CLI runs: what the settings name, else the one that came with the runner, else one
 * that is installed. A named one that is not there is an error, never silently another.
 */
import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

export type ClaudeBin =
  | { readonly kind: "found"; readonly path: string; readonly pinnedVersion: string | null }
  /** `problem` is one sentence for a person. */
  | { readonly kind: "missing"; readonly problem: string };

export type FindOptions = {
  /** LODGE_CLAUDE_BIN */
  readonly setting: string | undefined;
  /** CLAUDE_BIN, HOME, PATH */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** The package's own binary; null: not installed for this platform. */
  readonly findPinned?: () => Promise<{ path: string; version: string } | null>;
};

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const isMusl = (): boolean => {
  const report = process.report?.getReport() as {
    header?: { glibcVersionRuntime?: string };
  } | null;
  return report?.header?.glibcVersionRuntime === undefined;
};

/** The platform's package lies beside the main one or below it: asked for from there. */
export async function findPinnedBin(): Promise<{ path: string; version: string } | null> {
  const libc = isMusl() ? "-musl" : "";
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}`;
  try {
    const here = createRequire(import.meta.url);
    const main = here.resolve("@anthropic-ai/claude-code/package.json");
    const manifest = createRequire(main).resolve(`${name}/package.json`);
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
    const path = join(dirname(manifest), "claude");
    return (await isExecutable(path)) ? { path, version } : null;
  } catch {
    return null;
  }
}

function usualPlaces(host: FindOptions["host"]): string[] {
  const home = host["HOME"];
  const ofPerson = home
    ? [join(home, ".local/bin/claude"), join(home, ".claude/local/claude")]
    : [];
  const onPath = (host["PATH"] ?? "").split(delimiter).filter((entry) => entry.startsWith("/"));
  return [
    ...ofPerson,
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
    "/usr/bin/claude",
    ...onPath.map((entry) => join(entry, "claude")),
  ];
}

export async function findClaudeBin(options: FindOptions): Promise<ClaudeBin> {
  const named = [
    ["LODGE_CLAUDE_BIN", options.setting],
    ["CLAUDE_BIN", options.host["CLAUDE_BIN"]],
  ] as const;
  for (const [name, path] of named) {
    if (path === undefined || path === "") continue;
    if (path.startsWith("/") && (await isExecutable(path))) {
      return { kind: "found", path, pinnedVersion: null };
    }
    const problem = `${name} is ${path}, which is not ${
      path.startsWith("/") ? "an executable file" : "an absolute path"
    }.`;
    return { kind: "missing", problem };
  }
  const pinned = await (options.findPinned ?? findPinnedBin)();
  if (pinned !== null) return { kind: "found", path: pinned.path, pinnedVersion: pinned.version };
  for (const path of usualPlaces(options.host)) {
    if (await isExecutable(path)) return { kind: "found", path, pinnedVersion: null };
  }
  return {
    kind: "missing",
    problem: "The Claude CLI was not found: install it, or set LODGE_CLAUDE_BIN to its path.",
  };
}
