/** Our own PostgreSQL as a part of the house: loopback only, a port that it keeps, password required. */
import { readFileSync, writeFileSync } from "node:fs";
import { keepRunning, type Part } from "../processes/part.ts";
import { startProcess } from "../processes/spawn.ts";
import { SYSTEM_PATH } from "../processes/run.ts";
import { tryPort } from "../port.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { commandFor } from "./command.ts";
import { endLeftovers, isAccepting, POSTGRES_LADDER } from "./leftovers.ts";

export interface PostgresOptions {
  readonly dir: string;
  readonly logPath: string;
  readonly hurry: AbortSignal;
  readonly say: (line: string) => void;
}

export interface Postgres {
  readonly part: Part;
  readonly url: string;
  isReady(): boolean;
}

export async function openPostgres({
  dir,
  logPath,
  hurry,
  say,
}: PostgresOptions): Promise<Postgres> {
  const cluster = await openCluster(dir);
  await endLeftovers(cluster.data);
  const port = await choosePort(cluster);
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    cluster_name: "lodge",
  };
  const part = keepRunning({
    name: "PostgreSQL",
    launch: async () => {
      await endLeftovers(cluster.data);
      const command = commandFor(cluster, "postgres", (data) => [
        "-D",
        data,
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ]);
      return startProcess({
        ...command,
        env: { PATH: SYSTEM_PATH, LC_ALL: "C" },
        cwd: "/",
        logPath,
      });
    },
    ladder: POSTGRES_LADDER,
    hurry,
    say,
    // It is found by its working directory, which is surer than anything we could write down.
    record: () => undefined,
  });
  return {
    part,
    url: cluster.urlAt(port),
    isReady: () => isAccepting(cluster.data, part.current()?.identity.pid ?? 0),
  };
}

/** The same port every time, so that a URL somebody noted stays good; another one only if that is taken. */
async function choosePort({ portFile }: Cluster): Promise<number> {
  let kept = 0;
  try {
    kept = Number(readFileSync(portFile, "utf8"));
  } catch {
    // The first start.
  }
  const port = await tryPort("127.0.0.1", kept).catch(() => tryPort("127.0.0.1", 0));
  if (port !== kept) writeFileSync(portFile, String(port), { mode: 0o600 });
  return port;
}
