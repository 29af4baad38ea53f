/** The embedded PostgreSQL for everybody: root with everything under a 0700 folder, and an ordinary user. */
import { execFileSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { LODGE_ARGS, openBench, ROOT } from "../testing/lodge-process.ts";
import { findPostgresBinaries } from "./binaries.ts";
import { openPostgres, type Postgres } from "./server.ts";
import { waitFor } from "../testing/lodge-process.ts";

const isRoot = process.getuid?.() === 0;
const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function open(dir: string): Promise<Postgres> {
  const never = new AbortController();
  const opened = await openPostgres({
    dir,
    logPath: `${dir}.log`,
    hurry: never.signal,
    say: () => undefined,
  });
  cleanups.push(() => opened.part.end());
  await waitFor("PostgreSQL", () => opened.isReady());
  return opened;
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "lodge-postgres-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

test("under a 0700 parent it starts, asks for the password, and gives the api a role that is no superuser", async () => {
  const parent = scratch();
  expect(statSync(parent).mode & 0o777).toBe(0o700);
  const { url } = await open(join(parent, "postgres"));
  const [facts] = await ask(
    url,
    `select current_user as me, rolsuper, rolcreaterole, rolcreatedb, pg_encoding_to_char(encoding) as encoding
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  const powers = { rolsuper: false, rolcreaterole: false, rolcreatedb: false };
  expect(facts).toEqual({ me: "lodge", ...powers, encoding: "UTF8" });
  const wrong = new URL(url);
  wrong.password = "wrong";
  await expect(ask(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
  wrong.username = "postgres";
  await expect(ask(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(parent, "postgres", "password")).mode & 0o077).toBe(0);
});

test.runIf(isRoot)("as root the server is another account, without capabilities", async () => {
  const parent = scratch();
  const { part } = await open(join(parent, "postgres"));
  const status = readFileSync(`/proc/${part.current()?.identity.pid}/status`, "utf8");
  expect(status).not.toMatch(/^Uid:\s+0/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
});

test("a stale postmaster.pid with somebody else's pid does not stop it", async () => {
  const parent = scratch();
  const first = await open(join(parent, "postgres"));
  await first.part.end();
  writeFileSync(join(parent, "postgres", "data", "postmaster.pid"), `${process.pid}\n`);
  const second = await open(join(parent, "postgres"));
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)("an ordinary user needs nothing special", async ({ skip }) => {
  skip(!mayEverybodyRead(ROOT), `other accounts cannot read ${ROOT}`);
  const account = `lodgetest${process.pid}`;
  execFileSync("useradd", ["--no-create-home", "--shell", "/bin/sh", account]);
  cleanups.push(() => void execFileSync("userdel", [account]));
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, account], { encoding: "utf8" })),
  );
  const bench = openBench();
  cleanups.push(() => bench.end());
  for (const folder of [dirname(bench.home), bench.home]) chownSync(folder, uid ?? -1, gid ?? -1);
  chmodSync(bench.home, 0o700);

  const as = [
    "setpriv",
    "--reuid",
    account,
    "--regid",
    account,
    "--clear-groups",
    process.execPath,
  ];
  const lodge = bench.start({ command: [...as, ...LODGE_ARGS] });
  await lodge.said(/Lodge is ready at/);
  expect(statSync(join(bench.home, "postgres", "data")).uid).toBe(uid);
  const { DATABASE_URL = "" } = JSON.parse(bench.file("env-api")) as Record<string, string>;
  expect(await ask(DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
  lodge.child.kill("SIGTERM");
  expect(await lodge.exitCode()).toBe(0);
});

test.runIf(isRoot)(
  "a data directory that an ordinary user may not write is one sentence",
  async ({ skip }) => {
    skip(!mayEverybodyRead(ROOT), `other accounts cannot read ${ROOT}`);
    const bench = openBench();
    cleanups.push(() => bench.end());
    const nobody = [
      "setpriv",
      "--reuid",
      "65534",
      "--regid",
      "65534",
      "--clear-groups",
      process.execPath,
    ];
    const lodge = bench.start({ command: [...nobody, ...LODGE_ARGS] });
    expect(await lodge.exitCode()).toBe(1);
    expect(lodge.output()).toMatch(/^lodge: The data directory .* is not writable \(EACCES.*\n$/);
  },
);

test("the binaries are found, and their library links are there", () => {
  expect(() =>
    accessSync(join(findPostgresBinaries(), "lib", "libpq.so.5"), constants.R_OK),
  ).not.toThrow();
});

function mayEverybodyRead(path: string): boolean {
  return (
    (statSync(path).mode & 0o005) === 0o005 && (path === "/" || mayEverybodyRead(dirname(path)))
  );
}
