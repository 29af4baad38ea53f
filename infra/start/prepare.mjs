/**
 * Makes a checkout runnable: `node infra/start/prepare.mjs [install | build]`, called before `npm start`, `npm test`
 * and `npm run demo`. Works before node_modules exists, so it imports `node:` only and is plain JavaScript. When
 * nothing has changed it only reads a few hundred file times, and says nothing.
 *
 * Two of them at once are safe: the second waits for the first, and then finds nothing left to do.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, openSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { restorePostgresLinks } from "./postgres-links.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const MODULES = join(ROOT, "node_modules");
const INSTALLED = join(MODULES, ".lodge-installed");
const BUILT = join(MODULES, ".lodge-built");
const OLDEST_NODE = [20, 19];

/** What a build reads: these folders, and these files, of every workspace. */
const SOURCE_FOLDERS = ["src", "public", "drizzle"];
const SOURCE_FILES = ["package.json", "tsconfig.json", "index.html", "vite.config.ts"];
const PRODUCTS = [
  "packages/cli/dist/main.js",
  "packages/runner/dist/main.js",
  "apps/api/dist/main.js",
  "apps/web/dist/site/index.html",
];

class Complaint extends Error {}

try {
  requireNode();
  const verb = process.argv[2] ?? "install";
  if (verb !== "install" && verb !== "build")
    throw new Complaint(`"${verb}" is neither install nor build`);
  // Most calls have nothing to do, and need not wait for anyone.
  if (!isPrepared(verb)) {
    takeTurn();
    install();
    if (verb === "build") await build();
  }
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  console.error(`lodge: ${error.message}`);
  process.exitCode = 1;
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Complaint(
    `Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.versions.node}.`,
  );
}

function isPrepared(verb) {
  const isInstalled =
    read(INSTALLED) === installStamp() && restorePostgresLinks(MODULES) !== "missing";
  return isInstalled && (verb === "install" || isBuilt());
}

/**
 * Holds an advisory lock on this very file until the process ends, however it ends. The lock belongs to the open
 * file, which `flock` shares with us for a moment, so nothing is left behind to clean up.
 */
function takeTurn() {
  const fd = openSync(fileURLToPath(import.meta.url), "r");
  const { error } = spawnSync("flock", ["--exclusive", "3"], {
    stdio: ["ignore", "inherit", "inherit", fd],
  });
  if (error) throw new Complaint("the command `flock` is needed (package util-linux).");
}

function install() {
  const stamp = installStamp();
  if (read(INSTALLED) !== stamp) {
    if (!isTreeComplete()) {
      console.log("Installing packages …");
      const npm = process.env.npm_execpath;
      const [command, ...args] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
      const flags = [
        "ci",
        "--include=dev",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--loglevel=error",
      ];
      const { status, error } = spawnSync(command, [...args, ...flags], {
        cwd: ROOT,
        stdio: ["ignore", "ignore", "inherit"],
      });
      if (error) throw new Complaint(`npm could not be started (${error.message}).`);
      if (status !== 0)
        throw new Complaint(`npm ci failed with code ${status}: its own words are above.`);
    }
    writeFileSync(INSTALLED, stamp);
  }
  restorePostgresLinks(MODULES);
}

function installStamp() {
  const major = process.versions.node.split(".")[0];
  return digest([read(join(ROOT, "package-lock.json")), process.platform, process.arch, major]);
}

/**
 * Whether npm's own record of node_modules already has all that the lock file names. True after somebody ran
 * `npm install` by hand: wiping their tree, as `npm ci` does, would be rude and slow.
 */
function isTreeComplete() {
  const record = read(join(MODULES, ".package-lock.json"));
  if (record === "") return false;
  const wanted = JSON.parse(read(join(ROOT, "package-lock.json"))).packages;
  const present = JSON.parse(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    // Optional packages are platform binaries or leftovers of other platforms' binaries.
    const isForHere =
      entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !entry.libc;
    const isNeeded = !entry.optional || isForHere;
    if (present[path] === undefined) return !isNeeded;
    return present[path].version === entry.version && existsSync(join(ROOT, path));
  });
}

async function build() {
  const stamp = sourceStamp();
  if (isBuilt(stamp)) return;
  console.log("Building …");
  const bin = join(MODULES, ".bin");
  // Side by side: neither reads what the other writes.
  const results = await Promise.all([
    run(join(bin, "tsc"), ["-b"]),
    run(join(bin, "vite"), ["build", "apps/web", "--logLevel", "warn"]),
  ]);
  const failed = results.filter((result) => result.code !== 0);
  for (const { output } of failed) console.error(output.trimEnd());
  if (failed.length > 0)
    throw new Complaint(
      `the build failed (${failed.map((f) => f.name).join(", ")}), as told above.`,
    );
  writeFileSync(BUILT, stamp);
}

function isBuilt(stamp = sourceStamp()) {
  return read(BUILT) === stamp && PRODUCTS.every((file) => existsSync(join(ROOT, file)));
}

/** Names, sizes and times of all that is built. Tests are left out: changing one must not delay a start. */
function sourceStamp() {
  const facts = [read(INSTALLED)];
  const add = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(path).toSorted()) add(join(path, name));
    else if (stat && !/\.test\.tsx?$/.test(path))
      facts.push(`${relative(ROOT, path)} ${stat.size} ${stat.mtimeMs}`);
  };
  add(join(ROOT, "tsconfig.json"));
  add(join(ROOT, "tsconfig.base.json"));
  for (const workspace of workspaces())
    for (const name of [...SOURCE_FOLDERS, ...SOURCE_FILES]) add(join(workspace, name));
  return digest(facts);
}

function workspaces() {
  const { workspaces: patterns } = JSON.parse(read(join(ROOT, "package.json")));
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [join(ROOT, pattern)];
    const parent = join(ROOT, pattern.slice(0, -2));
    return readdirSync(parent).map((name) => join(parent, name));
  });
}

function run(file, args) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ name: args[0], code: 1, output: error.message }));
    child.on("close", (code) =>
      resolve({ name: relative(join(MODULES, ".bin"), file), code, output }),
    );
  });
}

function digest(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\n");
  return hash.digest("hex");
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
