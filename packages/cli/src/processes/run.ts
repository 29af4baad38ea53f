/** Runs a small command to its end: the ones whose output we want, not the ones we keep. */
import { spawn } from "node:child_process";

export interface RunResult {
  readonly code: number;
  readonly output: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** A file descriptor that the command gets as its fd 3. */
  readonly fd?: number;
}

/** 127, as a shell would say it, when the command does not exist. */
export function run(
  file: string,
  args: readonly string[],
  { input = "", cwd = "/", env = { PATH: SYSTEM_PATH }, fd }: RunOptions = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: ["pipe", "pipe", "pipe", fd ?? "ignore"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: output.trim() }));
    // A command that ends without reading its input is judged by its exit code.
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** `sbin` too: useradd and its like are not on everybody's PATH. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
