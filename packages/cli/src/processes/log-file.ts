/** Reading back what a part of the house has written to its log since it was started. */
import { closeSync, openSync, readSync, fstatSync } from "node:fs";
import type { KeptProcess } from "./spawn.ts";

const MOST_BYTES = 64 * 1024;
const WORDS_CHARS = 400;

/** The end of what this process wrote, at most 64 KiB. */
export function writtenBy({ logPath, logStart }: KeptProcess): string {
  let fd: number;
  try {
    fd = openSync(logPath, "r");
  } catch {
    return "";
  }
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(logStart, size - MOST_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, start));
  } finally {
    closeSync(fd);
  }
}

/** The last line that was written for a person: structured log lines and stack frames are not. */
export function lastWords(kept: KeptProcess): string {
  const lines = writtenBy(kept).split("\n");
  const line =
    lines.findLast((text) => text.trim() !== "" && !/^(\{|\s+at |Node\.js v)/.test(text)) ?? "";
  return line.trim().slice(0, WORDS_CHARS);
}
