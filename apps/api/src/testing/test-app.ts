/**
 * The whole api on a database of its own, without a socket: requests go through `app.request`.
 * Runners are connected by hand with `RunnerDouble`.
 */
import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import { pino } from "pino";
import { createApp } from "../app.ts";
import { createPasswords } from "../auth/passwords.ts";
import { createDeps, realEffects } from "../create-deps.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { parseEnv } from "../env.ts";
import { openDatabase } from "../storage/database.ts";
import { acquireLease } from "../storage/lease.ts";
import { migrate } from "../storage/migrate.ts";
import { PgEventStorage } from "../storage/pg-event-storage.ts";
import { users } from "../storage/schema.ts";
import { createTestDatabase } from "./test-database.ts";

const ORIGIN = "http://localhost:4400";
export const PASSWORD = "a password for tests";

export type Reply = {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads bodies as it finds them
  readonly body: any;
  readonly headers: Headers;
};

export class TestApp implements AsyncDisposable {
  readonly app: Hono<AppEnv>;
  readonly deps: Deps;
  readonly #dispose: () => Promise<void>;

  private constructor(app: Hono<AppEnv>, deps: Deps, dispose: () => Promise<void>) {
    this.app = app;
    this.deps = deps;
    this.#dispose = dispose;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TestApp> {
    const database = await createTestDatabase();
    const env = parseEnv({
      DATABASE_URL: database.url,
      LODGE_RUNNER_TOKEN: "a token that only tests use",
      ...settings,
    });
    const lease = await acquireLease({
      url: database.url,
      holder: "test",
      prepare: () => migrate(database.url),
      onLost: () => {},
    });
    const storage = new PgEventStorage({
      url: database.url,
      epoch: lease.epoch,
      onFenced: () => {},
    });
    const house = openDatabase(database.url);
    // Cheap hashes: these tests are not about their cost.
    const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
    const { deps, stop } = createDeps({
      env,
      log: pino({ level: "silent" }),
      db: house.db,
      storage,
      webRoot: null,
      isWriter: () => true,
      effects: realEffects,
      passwords,
    });
    const passwordHash = await passwords.hash(PASSWORD);
    await house.db.insert(users).values(
      (["admin", "ann", "bob"] as const).map((login) => ({
        id: randomUUID(),
        login,
        name: login,
        role: login === "admin" ? ("admin" as const) : ("member" as const),
        passwordHash,
      })),
    );
    return new TestApp(await createApp(deps), deps, async () => {
      stop();
      await deps.manager.close();
      await storage.close();
      await house.close();
      await lease.release();
      await database.drop();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#dispose();
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Reply> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const all = {
      host: "localhost:4400",
      origin: ORIGIN,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const response = await this.app.request(`${ORIGIN}${path}`, {
      method,
      headers: Object.entries(all).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream) {
      await response.body?.cancel();
      return { status: response.status, body: null, headers: response.headers };
    }
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not everything is JSON.
    }
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /** The cookie of somebody signed in. */
  async signIn(login: string): Promise<string> {
    const reply = await this.request("POST", "/api/auth/login", { login, password: PASSWORD });
    if (reply.status !== 200) throw new Error(`login answered ${reply.status}`);
    return (reply.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }
}
