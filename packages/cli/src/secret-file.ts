/** A random secret in a file that only we may read, made on first use. */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hasCode } from "./complaint.ts";

export function readOrMakeSecret(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  // Whole or not at all, even if we are killed here.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${makeSecret()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}

export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}
