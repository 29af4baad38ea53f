/**
 * A script that a process double follows, so that one contract can be tried on every kind of
 * process: a real child, a cassette, a run behind a link.
 */
import { type Cassette, type CassetteEntry } from "../cassette.ts";

/** Step by step; after the last one the process waits, until it is ended or its stdin is closed. */
export type ScriptStep =
  | { readonly kind: "print"; readonly line: string }
  /** Wait for one more line on stdin. */
  | { readonly kind: "read" }
  | { readonly kind: "exit"; readonly code: number }
  /** Print without a newline, and exit with 0: the process died in the middle of a line. */
  | { readonly kind: "cut"; readonly text: string };

export const print = (...lines: readonly string[]): ScriptStep[] =>
  lines.map((line) => ({ kind: "print", line }));
export const read = (): ScriptStep => ({ kind: "read" });
export const exit = (code = 0): ScriptStep => ({ kind: "exit", code });
export const cut = (text: string): ScriptStep => ({ kind: "cut", text });

/**
 * A Node program that follows the script, to be written to an executable file. It ignores its
 * arguments, and appends every line it gets on stdin to the file `receivedPath`.
 */
export function scriptedChild(steps: readonly ScriptStep[], receivedPath: string): string {
  return `#!/usr/bin/env node
"use strict";
const { appendFileSync, writeSync } = require("node:fs");
const steps = ${JSON.stringify(steps)};
const receivedPath = ${JSON.stringify(receivedPath)};
let next = 0;
let unread = 0;
let held = "";
function say(text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
function follow() {
  for (; next < steps.length; next++) {
    const step = steps[next];
    if (step.kind === "print") say(step.line + "\\n");
    else if (step.kind === "exit") process.exit(step.code);
    else if (step.kind === "cut") {
      say(step.text);
      process.exit(0);
    } else if (unread === 0) return;
    else unread--;
  }
}
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (held + text).split("\\n");
  held = lines.pop();
  for (const line of lines) {
    appendFileSync(receivedPath, line + "\\n");
    unread++;
  }
  follow();
});
process.stdin.on("end", () => process.exit(0));
setInterval(() => {}, 1 << 30);
follow();
`;
}

/** The same script as a recording. A cassette has only whole lines: "cut" is not among its powers. */
export function scriptedCassette(steps: readonly ScriptStep[]): Cassette {
  const entries = steps.map((step): CassetteEntry => {
    switch (step.kind) {
      case "print":
        return { t: 0, ch: "out", line: step.line };
      case "read":
        return { t: 0, ch: "in", line: "" };
      case "exit":
        return { t: 0, ch: "exit", code: step.code, signal: null };
      case "cut":
        throw new Error("a cassette has whole lines only");
    }
  });
  return { header: { v: 1, cli: "scripted", args: [] }, entries };
}
