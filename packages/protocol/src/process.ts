/**
 * The process seam: how the session engine starts, feeds, reads and ends a run, wherever it lives.
 *
 * Implementations: the runner's Claude adapters on the spool, the cassette player and recorder, and
 * the api's remote adapter over the runner link. One contract suite holds for all of them.
 *
 * Two rules make delivery exactly-once. Reading: every line has a number and a byte offset, and a
 * handle adopted at a position yields exactly the lines after it. Writing: every line to stdin has
 * a key (see `stdinKey`); a key the journal already holds is acknowledged and not written again.
 */
import type { RunConfig, RunId, SessionId } from "./event.ts";

/** Up to and including line `line` (from 1), which ends at byte `offset` of the stream. */
export type Position = { readonly line: number; readonly offset: number };
export const START: Position = { line: 0, offset: 0 };

export type ProcessLine = {
  /** From 1. */
  readonly line: number;
  /** Byte offset of the stream just after this line and its newline. */
  readonly offset: number;
  /** ms since the epoch, when the line was first seen complete. */
  readonly at: number;
  /** The line without its newline. Not necessarily UTF-8, not necessarily JSON. */
  readonly bytes: Uint8Array;
  /** The process ended in the middle of this line: it had no newline. */
  readonly cut?: true;
};

export type SpawnConfig = RunConfig & {
  readonly sessionId: SessionId;
  readonly runId: RunId;
  /** The user whose account the run belongs to. */
  readonly userId: string;
  /** Bypass may be switched on later in this run: only with the person's right to it. */
  readonly allowBypass: boolean;
  /** One-shot adapters only: the prompt that the single turn answers. */
  readonly prompt?: string;
};

export type ProcessExit = {
  readonly code: number | null;
  readonly signal: string | null;
  /**
   * exited: the process ended by itself or was ended; stopped: `end()` asked for it;
   * host: it went down with its host (reboot, container end, Ctrl-C on the whole product);
   * unknown: the runner has no record of this run at all.
   */
  readonly cause: "exited" | "stopped" | "host" | "unknown";
  /** The last 16 KiB of stderr as text, for the person who asks why. */
  readonly stderr: string;
};

/** `journalLine` counts stdin lines from 1; `duplicate`: the journal had the key already. */
export type WriteReceipt = { readonly journalLine: number; readonly duplicate: boolean };

export type ProcessHandle = {
  readonly runId: RunId;
  /** Adapter's own name for the process, stable over re-adoption. */
  readonly processId: string;
  readonly pid: number | null;
  readonly alive: boolean;
  /**
   * Lines after the position given to spawn or adopt, in order, each once. Ends when the process
   * is gone and its output has been read to the end. To be consumed by one reader.
   */
  readonly lines: AsyncIterable<ProcessLine>;
  /** Everything up to here is safe elsewhere: the spool may give the space back. */
  committed(position: Position): void;
  /** Append one line (no newline in it). Resolves when it is durable in the spool. Rejects with ProcessGoneError. */
  write(line: string): Promise<WriteReceipt>;
  /** To the CLI process itself, not to what it started. */
  signal(signal: "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** End the run: resolves when nothing of it is left. Idempotent. */
  end(): Promise<void>;
  /** Resolves once nothing of the run is left. `lines` may still have output to read. */
  readonly exited: Promise<ProcessExit>;
  /** The end of the run is in the log: the spool may go. */
  release(): void;
};

export type ProcessAdapter = {
  /** Start the run, or, if a run of this id exists, adopt it from the beginning. Rejects with SpawnError. */
  spawn(config: SpawnConfig): Promise<ProcessHandle>;
  /**
   * Take up a run started earlier, reading on after `position`. A run that ended meanwhile yields
   * its remaining lines and its exit. null: no record of it.
   */
  adopt(runId: RunId, position: Position): Promise<ProcessHandle | null>;
};

/** The run could not be started; `message` is for people, `code` for machines. */
export class SpawnError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpawnError";
    this.code = code;
  }
}

/** A line was not written and never will be: the process is gone. */
export class ProcessGoneError extends Error {
  constructor(message = "the process is gone") {
    super(message);
    this.name = "ProcessGoneError";
  }
}
