/**
 * `lodge up`: the house, in order. Each part is started when the one before it is ready, and ended in the opposite
 * order: the runner first, so that the end of every run still reaches the log, PostgreSQL last.
 *
 *   lock ─► leftovers ─► PostgreSQL ─► api ─► runner ─► ready … ─► runner ─► api ─► PostgreSQL ─► unlock
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Complaint, Interrupted } from "./complaint.ts";
import { environmentFor } from "./environment.ts";
import { askStatus } from "./health.ts";
import { type DataDir, openDataDir, type Programs } from "./layout.ts";
import { requireFreePort } from "./port.ts";
import { openPostgres } from "./postgres/server.ts";
import { endProcess, type Rung } from "./processes/identity.ts";
import { holdLock } from "./processes/lock.ts";
import { writtenBy } from "./processes/log-file.ts";
import { keepRunning, type Part } from "./processes/part.ts";
import { openRecords, type Records } from "./processes/records.ts";
import { startProcess } from "./processes/spawn.ts";
import { readOrMakeSecret } from "./secret-file.ts";
import type { Settings } from "./settings.ts";

/** SIGINT to the runner is the end of the host: it ends its runs, and waits until the log has it. */
const RUNNER_LADDER: readonly Rung[] = [
  { signal: "SIGINT", patienceMs: 25_000 },
  { signal: "SIGTERM", patienceMs: 3_000 },
  { signal: "SIGKILL", patienceMs: 2_000 },
];
/** SIGTERM asks a part to go and leave the rest as it is: a runner's runs live on. */
const ORDINARY_LADDER: readonly Rung[] = [
  { signal: "SIGTERM", patienceMs: 10_000 },
  { signal: "SIGKILL", patienceMs: 2_000 },
];
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 25;

/** Something that the demo adds: started before the api, with variables for every run. */
export interface Extra {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

export interface House {
  readonly settings: Settings;
  readonly programs: Programs;
  readonly extras?: readonly Extra[];
  readonly say: (line: string) => void;
  /** Aborted when the person wants it to end, and when they want it to end at once. */
  readonly stop: AbortSignal;
  readonly hurry: AbortSignal;
  /** Called with the address once everything is up. */
  readonly onReady: (url: string) => void;
}

export async function up(house: House): Promise<void> {
  const { settings, say, stop, hurry } = house;
  const dir = openDataDir(settings.dataDir);
  const lock = await holdLock(dir.lock, say);
  const parts: Part[] = [];
  try {
    await runHouse(house, dir, parts);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    lock.announceEnd();
    if (stop.aborted)
      say("Ending: runs first, then the api and the database. (Ctrl-C again to hurry.)");
    for (const part of parts.toReversed()) await part.end();
    if (hurry.aborted) say("Ended in a hurry.");
    lock.release();
  }
}

async function runHouse(house: House, dir: DataDir, parts: Part[]): Promise<void> {
  const { settings, programs, stop, hurry, say } = house;
  const records = openRecords(dir.records);
  await endRecorded(records);
  const port = await requireFreePort(settings.host, settings.port);
  const origin = `http://${hostToDial(settings.host)}:${port}`;

  const add = (name: string, program: Program, ladder = ORDINARY_LADDER): Part => {
    const part = keepRunning({
      name,
      launch: () =>
        startProcess({ ...program, file: process.execPath, cwd: dir.path, logPath: dir.log(name) }),
      ladder,
      hurry,
      say,
      record: (identity) => records.set(name, identity),
    });
    parts.push(part);
    return part;
  };

  let databaseUrl = settings.databaseUrl;
  if (databaseUrl === undefined) {
    const postgres = await openPostgres({
      dir: dir.postgres,
      logPath: dir.log("postgres"),
      hurry,
      say,
    });
    parts.push(postgres.part);
    await until(() => postgres.isReady(), postgres.part, parts, house);
    databaseUrl = postgres.url;
  }
  const tool = environmentFor("tool", settings.environment);
  for (const { name, file, args } of house.extras ?? [])
    add(name, { args: [file, ...args], env: tool });

  const token = readOrMakeSecret(dir.runnerToken);
  const shared = { LODGE_DATA_DIR: dir.path, LODGE_RUNNER_TOKEN: token };
  const listen = { LODGE_HOST: settings.host, LODGE_PORT: String(port), DATABASE_URL: databaseUrl };
  const apiEnv = { ...environmentFor("api", settings.environment), ...shared, ...listen };
  const api = add("api", { args: [programs.api], env: apiEnv });
  await until(async () => (await askStatus(`${origin}/healthz`)) === 200, api, parts, house);

  const runnerEnv = {
    ...environmentFor("runner", settings.environment),
    ...shared,
    LODGE_API_URL: origin,
  };
  const runner = add("runner", { args: [programs.runner], env: runnerEnv }, RUNNER_LADDER);
  await until(async () => (await askStatus(`${origin}/readyz`)) === 200, runner, parts, house);

  for (const part of parts) part.settle();
  house.onReady(settings.publicUrl ?? origin);
  const link = setupLinkIn(api);
  if (link !== undefined) say(`The first admin is made here, once: ${link}`);
  await aborted(stop);
}

interface Program {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** Waits for a part to be ready, but no longer once one of them will never be. */
async function until(
  isReady: () => boolean | Promise<boolean>,
  part: Part,
  parts: readonly Part[],
  { stop }: House,
): Promise<void> {
  for (const since = performance.now(); performance.now() - since < READY_WITHIN_MS;) {
    if (stop.aborted) throw new Interrupted();
    for (const one of parts) {
      const failure = one.gaveUp();
      if (failure !== undefined) throw new Complaint(failure);
    }
    if (await isReady()) return;
    await sleep(LOOK_EVERY_MS);
  }
  const log = part.current()?.logPath;
  throw new Complaint(
    `${part.name} is not ready after ${READY_WITHIN_MS / 1000} s${log === undefined ? "" : `; see ${log}`}.`,
  );
}

/** Parts that a killed predecessor left running. Runs are not parts: they live on, and the new runner adopts them. */
async function endRecorded(records: Records): Promise<void> {
  const left = [...records.all()];
  await Promise.all(left.map(([, identity]) => endProcess(identity, ORDINARY_LADDER)));
  for (const [name] of left) records.set(name, undefined);
}

/** Where to reach something that listens on every address. */
function hostToDial(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

function setupLinkIn(api: Part): string | undefined {
  const process = api.current();
  return process && /^LODGE_SETUP_LINK (\S+)$/m.exec(writtenBy(process))?.[1];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
