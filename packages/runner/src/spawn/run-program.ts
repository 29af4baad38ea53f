/**
 * The only file of the runner that starts programs. Two ways: a short helper whose end is awaited,
 * and a detached process that outlives us.
 *
 * The environment is always given whole and has no prototype: nothing is inherited, nothing that
 * was planted on Object.prototype is exported.
 */
import { spawn } from "node:child_process";

export type Environment = Readonly<Record<string, string>>;
export type ProgramResult = {
  /** null: it could not be started, was killed, or took too long. */
  readonly code: number | null;
  readonly stdout: string;
};

const bare = (environment: Environment): NodeJS.ProcessEnv =>
  Object.assign(Object.create(null) as NodeJS.ProcessEnv, environment);

/** Runs a helper to its end. Never rejects: a helper that is missing is a helper that failed. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly env: Environment; readonly timeoutMs: number },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: bare(options.env),
      cwd: "/",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: options.timeoutMs,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", () => resolve({ code: null, stdout: "" }));
    child.once("close", (code) => resolve({ code, stdout: Buffer.concat(chunks).toString() }));
  });
}

export type DetachedProcess = {
  readonly pid: number;
  /** Resolves when it ended while we still live; it does not need us. */
  readonly exited: Promise<void>;
};

/** Starts a process in a session of its own, on descriptors that the caller opened and closes. */
export function startDetached(
  command: string,
  args: readonly string[],
  options: { readonly env: Environment; readonly stdio: readonly (number | "ignore")[] },
): Promise<DetachedProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: bare(options.env),
      cwd: "/",
      stdio: [...options.stdio],
      detached: true,
    });
    const exited = new Promise<void>((ended) => {
      child.once("exit", () => ended());
    });
    child.once("error", reject);
    child.once("spawn", () => {
      child.unref();
      resolve({ pid: child.pid ?? 0, exited });
    });
  });
}
