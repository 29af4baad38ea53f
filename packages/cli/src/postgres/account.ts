/**
 * As whom PostgreSQL runs. It refuses to be root, so root gives it an account of its own: the owner of the data that
 * is there, else `lodge-postgres`, made once.
 *
 * That account may be unable to reach the checkout or the data at all (a clone in /root, which is 0700). So root also
 * gives it a private mount namespace, in which both are mounted where everybody may go. Hosts that forbid this
 * (containers, mostly) get the plain paths, and a clear word when those do not work.
 */
import { statSync } from "node:fs";
import { Complaint } from "../complaint.ts";
import { run } from "../processes/run.ts";

const ACCOUNT = "lodge-postgres";

export type RunAs =
  | { readonly kind: "self" }
  | {
      readonly kind: "account";
      readonly uid: number;
      readonly gid: number;
      readonly hasPrivateMounts: boolean;
    };

export async function chooseRunAs(dataPath: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { kind: "self" };
  const owner = statSync(dataPath, { throwIfNoEntry: false });
  const ids =
    owner !== undefined && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : await ensureAccount();
  const { code } = await run("unshare", ["--mount", "--propagation", "private", "--", "true"]);
  return { kind: "account", ...ids, hasPrivateMounts: code === 0 };
}

async function ensureAccount(): Promise<{ uid: number; gid: number }> {
  const found = await lookUp();
  if (found !== undefined) return found;
  const nowhere = [
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/usr/sbin/nologin",
  ];
  const made = await run("useradd", ["--system", "--user-group", ...nowhere, ACCOUNT]);
  // Another Lodge may have made it at this very moment: what counts is whether it is there now.
  const ids = await lookUp();
  if (ids !== undefined) return ids;
  throw new Complaint(
    `The account ${ACCOUNT}, as which PostgreSQL runs, could not be made: ${made.output}`,
  );
}

async function lookUp(): Promise<{ uid: number; gid: number } | undefined> {
  const { code, output } = await run("getent", ["passwd", ACCOUNT]);
  const [, , uid, gid] = output.split(":");
  return code === 0 && uid !== undefined && gid !== undefined
    ? { uid: Number(uid), gid: Number(gid) }
    : undefined;
}
