/** What may be asked of a runner about its runs, by run id. */
import type {
  Position,
  ProcessAdapter,
  ProcessHandle,
  RunFacts,
  SpawnConfig,
  WriteReceipt,
} from "@lodge/protocol";
import type { RunSignal } from "../spawn/spawner.ts";
import type { Run } from "./run.ts";
import type { RunTable } from "./run-table.ts";

export type RunListing = {
  readonly runId: string;
  readonly sessionId: string;
  readonly alive: boolean;
  readonly lastLineAt: number | null;
};

export type RunHost = {
  readonly list: () => RunListing[];
  readonly spawn: (config: SpawnConfig) => Promise<ProcessHandle>;
  readonly adopt: (runId: string, position: Position) => Promise<ProcessHandle | null>;
  readonly write: (runId: string, line: string) => Promise<WriteReceipt>;
  readonly signal: (runId: string, signal: RunSignal) => void;
  readonly end: (runId: string) => Promise<void>;
  readonly release: (runId: string) => Promise<void>;
  readonly disown: (runId: string) => Promise<void>;
};

/** A refusal with a code for machines. */
export class RunRefusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "RunRefusal";
    this.code = code;
  }
}

export const factsOf = (handle: ProcessHandle): RunFacts => ({
  processId: handle.processId,
  pid: handle.pid,
  alive: handle.alive,
});

export function createRunHost(table: RunTable, adapter: ProcessAdapter): RunHost {
  const require = (runId: string): Run => {
    const run = table.find(runId);
    if (run === null) throw new RunRefusal("unknown_run", "The runner has no record of this run.");
    return run;
  };
  return {
    list: () => table.list(),
    spawn: (config) => adapter.spawn(config),
    adopt: (runId, position) => adapter.adopt(runId, position),
    write: async (runId, line) => require(runId).write(line),
    signal: (runId, signal) => require(runId).signal(signal),
    end: async (runId) => require(runId).end("stopped"),
    release: async (runId) => {
      // Asked again after a lost answer, it is gone already.
      if (!(await table.release(runId))) {
        throw new RunRefusal("still_alive", "The run has a live process.");
      }
    },
    disown: (runId) => table.disown(runId),
  };
}
