/**
 * Which processes we have started, written down beside the data, so that after a `kill -9` of us our successor finds
 * them. Replaced in one rename: a reader sees the old list or the new one.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { ProcessIdentity } from "./identity.ts";

export interface Records {
  all(): ReadonlyMap<string, ProcessIdentity>;
  set(name: string, identity: ProcessIdentity | undefined): void;
}

export function openRecords(path: string): Records {
  const known = new Map(readRecords(path));
  return {
    all: () => known,
    set(name, identity) {
      if (identity === undefined) known.delete(name);
      else known.set(name, identity);
      const draft = `${path}.new`;
      writeFileSync(draft, JSON.stringify(Object.fromEntries(known), null, 2), { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

function readRecords(path: string): [string, ProcessIdentity][] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null) return [];
    return Object.entries(parsed).filter((entry): entry is [string, ProcessIdentity] =>
      isIdentity(entry[1]),
    );
  } catch {
    // Absent or garbled: there is nobody that we could name with certainty.
    return [];
  }
}

export function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "startTime" in value &&
    typeof value.startTime === "string" &&
    "bootId" in value &&
    typeof value.bootId === "string"
  );
}
