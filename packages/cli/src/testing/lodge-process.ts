/** Starts `lodge` with doubles as a real process, watches what it says, and leaves nothing behind. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endProcess, identify, type ProcessIdentity } from "../processes/identity.ts";
import { endLeftovers } from "../postgres/leftovers.ts";

const here = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(here, "../../../..");

export const LODGE_ARGS = [
  "--import",
  "tsx",
  "--conditions=source",
  join(here, "lodge-with-doubles.ts"),
];

export interface LodgeProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  output(): string;
  exitCode(): Promise<number | null>;
  /** Waits until it has said this; fails with all it said if it ends instead. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface Bench {
  readonly home: string;
  start(options?: {
    env?: Record<string, string>;
    verb?: string;
    command?: readonly string[];
  }): LodgeProcess;
  story(): string[];
  recorded(name: string): ProcessIdentity | undefined;
  file(name: string): string;
  end(): Promise<void>;
}

export function openBench(): Bench {
  const home = mkdtempSync(join(tmpdir(), "lodge-test-"));
  chmodSync(home, 0o755);
  const data = join(home, "data");
  mkdirSync(data, { mode: 0o755 });
  const started: LodgeProcess[] = [];
  const file = (name: string): string => {
    const path = join(data, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const recorded = (name: string): ProcessIdentity | undefined =>
    (JSON.parse(file("processes.json") || "{}") as Record<string, ProcessIdentity>)[name];
  return {
    home: data,
    start({ env = {}, verb = "up", command = [process.execPath, ...LODGE_ARGS] } = {}) {
      const [program = "", ...args] = command;
      const lodge = watch(
        spawn(program, [...args, verb], {
          cwd: ROOT,
          detached: true,
          env: {
            PATH: process.env["PATH"],
            HOME: home,
            LODGE_DATA_DIR: data,
            LODGE_PORT: "0",
            ...env,
          },
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
      started.push(lodge);
      return lodge;
    },
    story: () => file("story").split("\n").filter(Boolean),
    recorded,
    file,
    async end() {
      const kill = [{ signal: "SIGKILL", patienceMs: 5_000 }] as const;
      const supervisors = started.map(({ pid }) => identify(pid));
      const parts = ["api", "runner"].map(recorded);
      for (const one of [...supervisors, ...parts])
        if (one !== undefined) await endProcess(one, kill);
      for (const name of readdirSync(data)) {
        if (name.startsWith("postgres")) await endLeftovers(join(data, name, "data"), 0);
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function waitFor<T>(what: string, look: () => T | undefined | false): Promise<T> {
  for (const since = performance.now(); performance.now() - since < 15_000; await sleep(20)) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Error(`waited in vain: ${what}`);
}

function watch(child: ChildProcess): LodgeProcess {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    exitCode: () => closed,
    said: (pattern) =>
      waitFor(`${pattern} in:\n${output}`, () => {
        const found = pattern.exec(output);
        if (found === null && child.exitCode !== null) throw new Error(`it ended:\n${output}`);
        return found ?? undefined;
      }),
  };
}
