/**
 * The narrow interface between the runner and whatever may start and kill processes: today the
 * runner itself, later a helper with more rights. Everything crossing it is plain data.
 */
import type { RunnerFacts } from "@lodge/protocol";
import type { RunIdentity } from "./identity.ts";
import type { Environment } from "./run-program.ts";

export type RunSpec = {
  readonly runId: string;
  /** The run's spool; its files exist. */
  readonly directory: string;
  readonly cwd: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** All of the environment, the run's marker included. */
  readonly env: Environment;
  /** pump: stdin stays open and follows the journal; file: the journal as it is, then EOF. */
  readonly feed: "pump" | "file";
};

export type RunRef = {
  readonly runId: string;
  readonly identity: RunIdentity;
  /** How it was started, maybe by a runner that could do more, or less. */
  readonly tier: RunnerFacts["tier"];
};
export type RunSignal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT";

export type Spawner = {
  readonly tier: RunnerFacts["tier"];
  /** Resolves once the run has named itself. Rejects with SpawnError. */
  start(spec: RunSpec): Promise<RunIdentity>;
  /** To the CLI alone. A CLI that is gone is no error. */
  signal(run: RunRef, signal: RunSignal): void;
  /** Everything of the run, by force. Resolves when nothing is left; harmless when nothing was. */
  kill(run: RunRef): Promise<void>;
};

/** Every process of a run carries this variable with the run's id: how strays are known. */
export const RUN_MARKER = "LODGE_RUN_ID";
