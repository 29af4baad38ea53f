/** From what the scripts recorded to what is said about a run's end. */
import { constants } from "node:os";
import type { ProcessExit } from "@lodge/protocol";
import type { EndingCause, ExitRecord } from "../spool/run-spool.ts";

const SIGNAL_BASE = 128;

const signalNames = new Map<number, string>(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

export type EndFacts = {
  readonly record: ExitRecord;
  readonly ending: EndingCause | null;
  /** The host (or container) is not the one the run was started in. */
  readonly isOtherHost: boolean;
  readonly stderr: string;
};

export function describeExit({ record, ending, isOtherHost, stderr }: EndFacts): ProcessExit {
  const cause = ending ?? (isOtherHost ? "host" : "exited");
  // A shell says 128 + n for a signal and cannot tell that from an exit code; the CLI uses the same
  // numbers for the signals it handles. So both are given.
  const code = record.cli ?? record.init;
  const signal = code === null ? undefined : signalNames.get(code - SIGNAL_BASE);
  return { code, signal: signal ?? null, cause, stderr };
}
