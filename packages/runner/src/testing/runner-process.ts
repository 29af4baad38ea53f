/** The runner's own program, as a child that can be killed and started again. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export type RunnerProcess = {
  readonly child: ChildProcess;
  /** What it logged and said so far. */
  readonly output: () => string;
  /** Sends it and waits for the end; gives the exit code. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
};

/**
 * `leak`: it inherits this file as descriptor 251. A high one with a gap below it, because Node
 * itself closes those that follow the usual three.
 */
export function startRunner(
  environment: Readonly<Record<string, string>>,
  { leak }: { readonly leak?: string } = {},
): RunnerProcess {
  const run = [process.execPath, "--import", "tsx", "--conditions=source", MAIN];
  const [command = "", ...args] =
    leak === undefined ? run : ["bash", "-c", `exec 251<"$0"; exec "$@"`, leak, ...run];
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, "exit");
  return {
    child,
    output: () => output,
    kill: async (signal) => {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
