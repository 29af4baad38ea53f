/** A Lodge of its own for the pictures: the real stack, a scripted model, a directory that goes afterwards. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer, type Rule } from "../model-server/index.ts";

const MAIN = fileURLToPath(new URL("../../../packages/cli/dist/main.js", import.meta.url));
export const PERSON = { login: "ada", password: "a good long password" };

export type RunningLodge = {
  readonly url: string;
  readonly request: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export async function startLodge(rules: readonly Rule[]): Promise<RunningLodge> {
  const dir = await mkdtemp(join(tmpdir(), "lodge-pictures-"));
  const model = await startModelServer({ fallback: rules });
  const runEnv = join(dir, "run.env");
  await writeFile(runEnv, `ANTHROPIC_BASE_URL=${model.url}\nANTHROPIC_API_KEY=sk-ant-fake\n`, {
    mode: 0o600,
  });
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [MAIN, "up"], {
    cwd: dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: dir,
      LANG: "C.UTF-8",
      LODGE_PORT: new URL(url).port,
      LODGE_DATA_DIR: join(dir, "data"),
      LODGE_ADMIN_LOGIN: PERSON.login,
      LODGE_ADMIN_PASSWORD: PERSON.password,
      LODGE_RUN_ENV_FILE: runEnv,
    },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  await readyLine(child);

  let cookie = "";
  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { origin: url, cookie, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }
  await request("POST", "/api/auth/login", PERSON);

  return {
    url,
    request,
    close: async () => {
      const gone = once(child, "exit");
      child.kill("SIGINT");
      await gone;
      await model.close();
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (output.includes("Lodge is ready at ")) resolve();
    });
    child.once("exit", () => reject(new Error(`Lodge ended: ${output}`)));
  });
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
