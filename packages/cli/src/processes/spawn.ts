/**
 * Starts a process that we keep. It gets a session of its own, so that Ctrl-C at the terminal reaches only us and
 * we can end things in order; and it writes to a file, not to a pipe, so that it goes on undisturbed when we are
 * killed.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, renameSync, statSync } from "node:fs";
import { identify, type ProcessIdentity } from "./identity.ts";

const ROTATE_AT_BYTES = 16 * 1024 * 1024;

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly logPath: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface KeptProcess {
  readonly identity: ProcessIdentity;
  readonly exited: Promise<Exit>;
  readonly logPath: string;
  /** Where in the log this process began. */
  readonly logStart: number;
}

export async function startProcess({
  file,
  args,
  env,
  cwd,
  logPath,
}: Launch): Promise<KeptProcess> {
  const logStart = rotate(logPath);
  const log = openSync(logPath, "a", 0o600);
  try {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const { pid } = child;
    if (pid === undefined) {
      throw await new Promise<Error>((resolve) => child.once("error", resolve));
    }
    // One that is dead already still was a process: its exit tells.
    const identity = identify(pid) ?? { pid, startTime: "0", bootId: "" };
    return { identity, exited, logPath, logStart };
  } finally {
    closeSync(log);
  }
}

export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : signal;
}

function rotate(logPath: string): number {
  const size = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  if (size < ROTATE_AT_BYTES) return size;
  renameSync(logPath, `${logPath}.1`);
  return 0;
}
