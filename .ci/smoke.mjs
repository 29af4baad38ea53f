/** `npm start` as a person uses it: it says when it is ready, it answers, Ctrl-C ends it with code 0 and nothing stays. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 300_000;
const home = mkdtempSync(join(tmpdir(), "lodge-smoke-"));
const port = await freePort();
// A group of its own, as a terminal would make it, so that the signal reaches npm and its child like a Ctrl-C does.
const npm = spawn("npm", ["start"], {
  detached: true,
  env: { ...process.env, LODGE_DATA_DIR: home, LODGE_PORT: String(port) },
  stdio: ["ignore", "pipe", "inherit"],
});
let output = "";
npm.stdout.setEncoding("utf8").on("data", (text) => {
  output += text;
  process.stdout.write(text);
});
const ended = new Promise((resolve) => npm.once("close", resolve));

try {
  await until("the ready line", () =>
    output.includes(`Lodge is ready at http://127.0.0.1:${port}`),
  );
  const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
  if (status !== 200) throw new Error(`/healthz answered ${status}`);
  process.kill(-Number(npm.pid), "SIGINT");
  const code = await Promise.race([ended, sleep(PATIENCE_MS, "nothing for too long")]);
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
  const left = ours();
  if (left.length > 0) throw new Error(`still running: ${left.join("; ")}`);
  rmSync(home, { recursive: true, force: true });
  console.log("npm start and Ctrl-C: as promised");
} catch (error) {
  console.error(`npm start: ${error.message}`);
  process.exitCode = 1;
  if (npm.exitCode === null) process.kill(-Number(npm.pid), "SIGINT");
  await Promise.race([ended, sleep(30_000, undefined, { ref: false })]);
}

async function until(what, isSo) {
  for (const since = Date.now(); Date.now() - since < PATIENCE_MS; await sleep(50)) {
    if (isSo()) return;
    if (npm.exitCode !== null) throw new Error(`it ended with ${npm.exitCode} before ${what}`);
  }
  throw new Error(`no ${what} in ${PATIENCE_MS / 1000} s`);
}

/** Processes that carry our data directory in their environment or arguments, or work in it, as PostgreSQL does. */
function ours() {
  const cluster = statSync(join(home, "postgres", "data"), { throwIfNoEntry: false });
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [environ, cmdline] = ["environ", "cmdline"].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, "utf8"),
      );
      const cwd = statSync(`/proc/${pid}/cwd`);
      // By inode: in mounts of its own PostgreSQL has another name for it.
      const isInCluster = cwd.dev === cluster?.dev && cwd.ino === cluster?.ino;
      return isInCluster || (environ + cmdline).includes(home)
        ? [`${pid} ${cmdline.replaceAll("\0", " ")}`]
        : [];
    } catch {
      return [];
    }
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
