/**
 * Builds the command line that starts a PostgreSQL program as the right account, in mounts of its own if need be. The
 * arguments are asked for with the data folder's name as the program will see it.
 */
import { dirname, join } from "node:path";
import { Complaint } from "../complaint.ts";
import { run } from "../processes/run.ts";
import type { RunAs } from "./account.ts";

export interface Place {
  /** Holds `bin`, `lib`, `share`. */
  readonly binaries: string;
  readonly data: string;
  readonly runAs: RunAs;
}

export type Program = "initdb" | "postgres";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Every step is an exec, so the process keeps its pid from `unshare` to `postgres`. The tmpfs gives us a place to
 * hang the two folders that exists on every host; it is gone with the namespace. What runs as root here reads nothing
 * that the account can write.
 */
const IN_OWN_MOUNTS = `set -e
uid=$1 gid=$2 binaries=$3 data=$4 program=$5; shift 5
mount -t tmpfs -o mode=0755,size=64k,nosuid,nodev lodge /mnt
mkdir /mnt/postgres /mnt/data
mount --bind "$binaries" /mnt/postgres
mount --bind "$data" /mnt/data
exec setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \\
  -- "/mnt/postgres/bin/$program" "$@"`;

const DROP = ["--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];

export function commandFor(
  { binaries, data, runAs }: Place,
  program: Program,
  argsFor: (data: string) => readonly string[],
): Command {
  const file = join(binaries, "bin", program);
  if (runAs.kind === "self") return { file, args: argsFor(data) };
  const [uid, gid] = [String(runAs.uid), String(runAs.gid)];
  if (runAs.hasPrivateMounts) {
    const script = [
      "/bin/sh",
      "-c",
      IN_OWN_MOUNTS,
      "lodge-postgres",
      uid,
      gid,
      binaries,
      data,
      program,
    ];
    return {
      file: "unshare",
      args: ["--mount", "--propagation", "private", "--", ...script, ...argsFor("/mnt/data")],
    };
  }
  const drop = ["--reuid", uid, "--regid", gid, ...DROP, "--"];
  return { file: "setpriv", args: [...drop, file, ...argsFor(data)] };
}

/** Without mounts of its own the account must get to both folders by their plain paths. */
export async function requireReachable({ binaries, data, runAs }: Place): Promise<void> {
  if (runAs.kind === "self" || runAs.hasPrivateMounts) return;
  const as = ["--reuid", String(runAs.uid), "--regid", String(runAs.gid), "--clear-groups", "--"];
  for (const path of [join(binaries, "bin", "postgres"), dirname(data)]) {
    if ((await run("setpriv", [...as, "test", "-x", path])).code === 0) continue;
    throw new Complaint(
      `PostgreSQL cannot run as root, and the account it runs as cannot reach ${path}; ` +
        "move Lodge and LODGE_DATA_DIR to where everybody may go, or set DATABASE_URL.",
    );
  }
}
