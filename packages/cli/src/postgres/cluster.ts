/**
 * The files of our PostgreSQL. `<dir>` appears in one rename, complete with database, role and password, or not at
 * all: a cluster whose making was interrupted is a folder of another name, swept away next time.
 */
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Complaint } from "../complaint.ts";
import { run } from "../processes/run.ts";
import { makeSecret } from "../secret-file.ts";
import { chooseRunAs, type RunAs } from "./account.ts";
import { findPostgresBinaries, MAJOR_VERSION } from "./binaries.ts";
import { commandFor, type Place, type Program, requireReachable } from "./command.ts";
import { endLeftovers } from "./leftovers.ts";

const NAME = "lodge";

export interface Cluster extends Place {
  readonly portFile: string;
  urlAt(port: number): string;
}

export async function openCluster(dir: string): Promise<Cluster> {
  const binaries = findPostgresBinaries();
  const runAs = await chooseRunAs(join(dir, "data"));
  await sweep(dir);
  const made = read(join(dir, "data", "PG_VERSION"));
  if (made === undefined) await make(dir, binaries, runAs);
  else if (made !== MAJOR_VERSION) {
    throw new Complaint(
      `The data in ${dir} is of PostgreSQL ${made}, and this Lodge brings ${MAJOR_VERSION}.`,
    );
  }
  const place = { binaries, data: join(dir, "data"), runAs };
  await requireReachable(place);
  const password = read(join(dir, "password"));
  if (password === undefined) throw new Complaint(`The file ${join(dir, "password")} is missing.`);
  return {
    ...place,
    portFile: join(dir, "port"),
    urlAt: (port) => `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`,
  };
}

async function make(dir: string, binaries: string, runAs: RunAs): Promise<void> {
  const draft = `${dir}.new-${process.pid}`;
  const place = { binaries, data: join(draft, "data"), runAs };
  const mode = runAs.kind === "account" ? 0o711 : 0o700;
  mkdirSync(draft, { mode });
  mkdirSync(place.data, { mode: 0o700 });
  if (runAs.kind === "account") chownSync(place.data, runAs.uid, runAs.gid);
  await requireReachable(place);

  // Nobody can log in as the superuser: it has no password, and sockets in a directory are not used. The api gets a
  // role that owns its database and nothing else.
  const login = ["--username=postgres", "--auth-local=reject", "--auth-host=scram-sha-256"];
  const locale = [
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  await must(place, "initdb", (data) => ["-D", data, ...login, ...locale, "--no-instructions"]);
  const password = makeSecret();
  const sql = `CREATE ROLE ${NAME} LOGIN PASSWORD '${password}';\nCREATE DATABASE ${NAME} OWNER ${NAME};\n`;
  await must(place, "postgres", (data) => ["--single", "-D", data, "template1"], sql);
  writeFileSync(join(draft, "password"), password, { mode: 0o600 });
  renameSync(draft, dir);
}

async function must(
  place: Place,
  program: Program,
  argsFor: (data: string) => readonly string[],
  input = "",
): Promise<void> {
  const { file, args } = commandFor(place, program, argsFor);
  // The working directory is how `sweep` would recognise it.
  const { code, output } = await run(file, args, { input, cwd: dirname(place.data) });
  // In single-user mode a failed statement does not fail the program.
  if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output)) return;
  throw new Complaint(`PostgreSQL's ${program} failed: ${output.split("\n").at(-1) ?? ""}`);
}

/** What a killed predecessor left half made. */
async function sweep(dir: string): Promise<void> {
  const prefix = `${basename(dir)}.new-`;
  for (const name of readdirSync(dirname(dir))) {
    if (!name.startsWith(prefix)) continue;
    const draft = join(dirname(dir), name);
    for (const folder of [draft, join(draft, "data")]) await endLeftovers(folder, 0);
    rmSync(draft, { recursive: true, force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
