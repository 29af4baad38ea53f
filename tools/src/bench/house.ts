/** A whole Lodge for a benchmark, on a port and in a directory of its own, with a double of the CLI. */
import { spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const LODGE = fileURLToPath(new URL("../../../packages/cli/dist/main.js", import.meta.url));
const LOGIN = { login: "bench", password: "a password for a benchmark" };

export type BenchHouse = { readonly url: string; stop(): Promise<void> };

export async function startHouse(options: {
  readonly dir: string;
  /** The program that stands in for the CLI. */
  readonly claude: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<BenchHouse> {
  const port = await freePort();
  const child = spawn(process.execPath, [LODGE, "up"], {
    cwd: options.dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.dir,
      LODGE_PORT: String(port),
      LODGE_DATA_DIR: options.dir,
      LODGE_CLAUDE_BIN: options.claude,
      LODGE_ADMIN_LOGIN: LOGIN.login,
      LODGE_ADMIN_PASSWORD: LOGIN.password,
      LODGE_LOG_LEVEL: "warn",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString("utf8").includes("Lodge is ready")) resolve();
    });
    void exited.then(() => reject(new Error("lodge ended before it was ready")));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGINT");
      await exited;
    },
  };
}

/** The cookie of the first admin. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify(LOGIN),
  });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

export async function post<T>(
  url: string,
  cookie: string,
  path: string,
  body: unknown,
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { origin: url, cookie, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
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
