/**
 * A whole Lodge, as `npm start` runs it, on ports and in a directory of its own, with the scripted
 * model behind the real CLI. For tests; ended and removed with `await using`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer, type ModelServer } from "@lodge/tools/model-server";
import { Browser } from "./browser.ts";

const LODGE = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
export const ADMIN = { login: "admin", password: "correct horse battery" };

export type HouseOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Lines added to the file of variables that every run gets. */
  readonly runEnv?: readonly string[];
  readonly dir?: string;
};

export class House implements AsyncDisposable {
  readonly url: string;
  readonly dir: string;
  readonly model: ModelServer;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess;
  #output = "";

  private constructor(
    url: string,
    dir: string,
    model: ModelServer,
    env: Readonly<Record<string, string>>,
  ) {
    this.url = url;
    this.dir = dir;
    this.model = model;
    this.#env = env;
    this.#child = this.#spawn();
  }

  static async start(options: HouseOptions = {}): Promise<House> {
    const dir = options.dir ?? (await mkdtemp(join(tmpdir(), "lodge-e2e-")));
    const model = await startModelServer();
    const port = await freePort();
    const runEnvFile = join(dir, "run.env");
    await writeFile(
      runEnvFile,
      [
        `ANTHROPIC_BASE_URL=${model.url}`,
        "ANTHROPIC_API_KEY=sk-ant-fake-000",
        ...(options.runEnv ?? []),
        "",
      ].join("\n"),
      { mode: 0o600 },
    );
    const house = new House(`http://127.0.0.1:${port}`, dir, model, {
      LODGE_PORT: String(port),
      LODGE_DATA_DIR: join(dir, "data"),
      LODGE_ADMIN_LOGIN: ADMIN.login,
      LODGE_ADMIN_PASSWORD: ADMIN.password,
      LODGE_RUN_ENV_FILE: runEnvFile,
      ...options.env,
    });
    await house.#ready();
    return house;
  }

  /** Signed in as the first admin. */
  async signIn(): Promise<Browser> {
    const browser = new Browser(this.url);
    const { status } = await browser.post("/api/auth/login", ADMIN);
    if (status !== 200) throw new Error(`login answered ${status}`);
    return browser;
  }

  /** The pid of a part, as the supervisor has written it down. */
  async pidOf(part: "api" | "runner"): Promise<number> {
    const text = await readFile(join(this.dir, "data", "processes.json"), "utf8");
    return (JSON.parse(text) as Record<string, { pid: number }>)[part]?.pid ?? 0;
  }

  /** kill -9, and wait until its successor is ready. */
  async kill(part: "api" | "runner"): Promise<void> {
    const pid = await this.pidOf(part);
    process.kill(pid, "SIGKILL");
    await waitFor(
      `another ${part}`,
      async () => (await this.pidOf(part)) !== pid && (await this.isReady()),
    );
  }

  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  /** A directory that runs can work in. */
  async directory(name: string): Promise<string> {
    const path = join(this.dir, name);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** kill -9 of the supervisor itself. */
  async killSupervisor(): Promise<void> {
    const gone = exitOf(this.#child);
    this.#child.kill("SIGKILL");
    await gone;
  }

  async restart(): Promise<void> {
    this.#child = this.#spawn();
    await this.#ready();
  }

  /** Ctrl-C; resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    const gone = exitOf(this.#child);
    this.#child.kill("SIGINT");
    return gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.interrupt();
    await this.model.close();
    await rm(this.dir, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const child = spawn(process.execPath, [LODGE, "up"], {
      cwd: this.dir,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.dir,
        LANG: "C.UTF-8",
        // What the server knows and a run must never see.
        LODGE_TEST_SERVER_SECRET: "canary-of-the-server",
        ...this.#env,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const collect = (chunk: Buffer): void => {
      this.#output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    return child;
  }

  async #ready(): Promise<void> {
    this.#output = "";
    await waitFor("the ready line", () => {
      if (this.#child.exitCode !== null) throw new Error(`lodge ended: ${this.#output}`);
      return this.#output.includes("Lodge is ready at ");
    });
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

/** Looks again and again until the condition holds. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
