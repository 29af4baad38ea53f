/** The life cycle of `lodge up`, with real processes and a real PostgreSQL; only the api and the runner are doubles. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identify, isAlive } from "./processes/identity.ts";
import { type Bench, LODGE_ARGS, openBench, waitFor } from "./testing/lodge-process.ts";

/** Nobody listens there: for tests that need no database. */
const NO_DATABASE = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
const READY = /Lodge is ready at (http:\S+)/;

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.end());

describe("a day", () => {
  test("ready line, setup link, then Ctrl-C ends runner, api and PostgreSQL in order, with exit code 0", async () => {
    const lodge = bench.start();
    const [, url = ""] = await lodge.said(READY);
    await lodge.said(/once: http:\/\/127\.0\.0\.1\/setup#secret/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const [api, runner] = [bench.recorded("api"), bench.recorded("runner")];
    const postmaster = identify(Number(bench.file("postgres/data/postmaster.pid").split("\n")[0]));

    lodge.child.kill("SIGINT");
    expect(await lodge.exitCode()).toBe(0);
    expect(bench.story()).toEqual(["api start", "runner start", "runner SIGINT", "api SIGTERM"]);
    for (const one of [api, runner, postmaster]) expect(one && isAlive(one)).toBe(false);
    expect(bench.file("logs/postgres.log")).toContain("database system is shut down");
  });

  test("the parts get their settings, and no secret that is not theirs", async () => {
    const admin = { LODGE_ADMIN_LOGIN: "ada", LODGE_ADMIN_PASSWORD: "hush" };
    const lodge = bench.start({
      env: { ...NO_DATABASE, ...admin, NODE_OPTIONS: "", AWS_SECRET: "x", LODGE_TOKEN: "t" },
    });
    await lodge.said(READY);
    const api = JSON.parse(bench.file("env-api")) as Record<string, string>;
    const runner = JSON.parse(bench.file("env-runner")) as Record<string, string>;
    expect(api).toMatchObject({
      ...admin,
      ...NO_DATABASE,
      LODGE_HOST: "127.0.0.1",
      LODGE_DATA_DIR: bench.home,
    });
    expect(runner["LODGE_API_URL"]).toBe(`http://127.0.0.1:${api["LODGE_PORT"]}`);
    expect(runner["LODGE_RUNNER_TOKEN"]).toBe(api["LODGE_RUNNER_TOKEN"]);
    for (const name of ["DATABASE_URL", "LODGE_ADMIN_PASSWORD"])
      expect(runner).not.toHaveProperty(name);
    for (const name of ["AWS_SECRET", "LODGE_TOKEN", "NODE_OPTIONS"])
      expect(api).not.toHaveProperty(name);
    for (const name of ["runner-token", "lodge.lock", "logs/api.log"]) {
      expect(statSync(join(bench.home, name)).mode & 0o077, name).toBe(0);
    }
  });

  test("a second Ctrl-C hurries a runner that does not end", async () => {
    writeFileSync(join(bench.home, "vice-runner"), "stubborn");
    const lodge = bench.start({ env: NO_DATABASE });
    await lodge.said(READY);
    const since = performance.now();
    lodge.child.kill("SIGINT");
    // Until it was heard: one more while the process is being torn down would kill it.
    const again = setInterval(() => {
      if (bench.story().includes("runner SIGTERM")) clearInterval(again);
      else lodge.child.kill("SIGINT");
    }, 100);
    expect(await lodge.exitCode()).toBe(0);
    clearInterval(again);
    expect(performance.now() - since).toBeLessThan(8_000);
    expect(bench.story().slice(-3)).toEqual(["runner SIGINT", "runner SIGTERM", "api SIGTERM"]);
  });

  test("Ctrl-C before it is ready ends it too", async () => {
    const lodge = bench.start();
    await waitFor("the making of the cluster", () =>
      readdirSync(bench.home).some((name) => name.startsWith("postgres")),
    );
    lodge.child.kill("SIGINT");
    expect(await lodge.exitCode()).toBe(0);
    expect(lodge.output()).not.toMatch(READY);
  });
});

describe("accidents", () => {
  test("a part that dies is started again, and the reason is printed", async () => {
    const lodge = bench.start({ env: NO_DATABASE });
    await lodge.said(READY);
    const before = bench.recorded("api");
    process.kill(before?.pid ?? 0, "SIGKILL");
    await lodge.said(/api ended \(SIGKILL.*\); starting it again/);
    await waitFor(
      "a new api",
      () => bench.story().filter((line) => line === "api start").length === 2,
    );
    expect(bench.recorded("api")?.pid).not.toBe(before?.pid);
  });

  test("PostgreSQL killed outright comes back with everything in it", async () => {
    const lodge = bench.start();
    await lodge.said(READY);
    const { DATABASE_URL = "" } = JSON.parse(bench.file("env-api")) as Record<string, string>;
    await query(DATABASE_URL, "create table kept as select 42 as answer");
    process.kill(Number(bench.file("postgres/data/postmaster.pid").split("\n")[0]), "SIGKILL");
    await lodge.said(/PostgreSQL ended \(SIGKILL.*\); starting it again/);
    const readyAgain = /ready to accept connections[\s\S]*ready to accept connections/;
    await waitFor("recovery", () => readyAgain.test(bench.file("logs/postgres.log")));
    expect(await query(DATABASE_URL, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("kill -9 leaves the parts running; the next start ends them politely and begins anew", async () => {
    const first = bench.start();
    await first.said(READY);
    const { DATABASE_URL = "" } = JSON.parse(bench.file("env-api")) as Record<string, string>;
    await query(DATABASE_URL, "create table kept as select 42 as answer");
    const [api, runner] = [bench.recorded("api"), bench.recorded("runner")];
    first.child.kill("SIGKILL");
    await first.exitCode();
    expect([api, runner].map((one) => one !== undefined && isAlive(one))).toEqual([true, true]);

    const second = bench.start();
    await second.said(READY);
    expect([api, runner].map((one) => one !== undefined && isAlive(one))).toEqual([false, false]);
    expect(bench.story().slice(2).toSorted()).toEqual([
      "api SIGTERM",
      "api start",
      "runner SIGTERM",
      "runner start",
    ]);
    expect(await query(DATABASE_URL, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("kill -9 in the middle of making the database: the half is swept away and made again", async () => {
    const first = bench.start();
    const isHalfMade = (): boolean =>
      readdirSync(bench.home).some((name) => name.startsWith("postgres.new-"));
    await waitFor("a half-made cluster", isHalfMade);
    first.child.kill("SIGKILL");
    await first.exitCode();
    const second = bench.start();
    await second.said(READY);
    expect(isHalfMade()).toBe(false);
  });

  test("after kill -9 of npm its orphaned child is a leftover like any other", async () => {
    // The double of npm: it is known by the name that it gives itself.
    const npm = `process.title = "npm start";
      require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" });`;
    const first = bench.start({
      env: NO_DATABASE,
      command: [process.execPath, "-e", npm, "--", ...LODGE_ARGS],
    });
    await first.said(READY);
    const { self } = JSON.parse(bench.file("lodge.lock")) as {
      self: { pid: number; startTime: string; bootId: string };
    };
    expect(self.pid).not.toBe(first.pid);
    first.child.kill("SIGKILL");
    const second = bench.start({ env: NO_DATABASE });
    await second.said(READY);
    expect(isAlive(self)).toBe(false);
  });
});

describe("refusals: one sentence and a non-zero exit", () => {
  async function refusal(env: Record<string, string> = NO_DATABASE): Promise<string> {
    const lodge = bench.start({ env });
    expect(await lodge.exitCode()).toBe(1);
    return lodge.output().trim();
  }

  test("a second Lodge on the same data directory; the first goes on", async () => {
    const first = bench.start({ env: NO_DATABASE });
    const [, url] = await first.said(READY);
    expect(await refusal()).toBe(
      `lodge: Lodge is already running on ${bench.home} (process ${first.pid}).`,
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("a port that is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const said = await refusal({ ...NO_DATABASE, LODGE_PORT: String(port) });
    server.close();
    expect(said).toBe(
      `lodge: Port ${port} on 127.0.0.1 is taken by another program; stop it, or set LODGE_PORT.`,
    );
  });

  test("a data directory that cannot be one", async () => {
    const path = join(bench.home, "file");
    writeFileSync(path, "");
    expect(await refusal({ ...NO_DATABASE, LODGE_DATA_DIR: join(path, "x") })).toMatch(
      /^lodge: The data directory .* is not writable \(ENOTDIR.*; set LODGE_DATA_DIR to one that is\.$/,
    );
  });

  test("an api that says why it cannot start", async () => {
    writeFileSync(join(bench.home, "vice-api"), "refuses");
    expect(await refusal()).toBe("lodge: The moon is in the wrong place.");
  });

  test("a runner that never comes up", async () => {
    writeFileSync(join(bench.home, "vice-runner"), "crashes");
    expect(await refusal()).toMatch(
      /lodge: runner did not come up: exit code 7, TypeError: oh no$/,
    );
    expect(bench.story()).toEqual(["api start", "api SIGTERM"]);
  });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}
