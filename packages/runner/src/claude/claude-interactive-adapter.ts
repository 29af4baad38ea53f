/**
 * The default way to run Claude: one process for many turns, its stdin open as long as it lives.
 * It lives on the spool, so it outlives this daemon.
 */
import type { Position, ProcessAdapter, ProcessHandle, SpawnConfig } from "@lodge/protocol";
import type { RunTable } from "../runs/run-table.ts";
import { planRun, type PlanOptions } from "./plan-run.ts";

export type ClaudeAdapterOptions = PlanOptions & { readonly table: RunTable };

export class ClaudeInteractiveAdapter implements ProcessAdapter {
  readonly #options: ClaudeAdapterOptions;

  constructor(options: ClaudeAdapterOptions) {
    this.#options = options;
  }

  spawn(config: SpawnConfig): Promise<ProcessHandle> {
    return this.#options.table.spawn(config, async () => ({
      ...(await planRun(config, this.#options)),
      feed: "pump",
    }));
  }

  adopt(runId: string, position: Position): Promise<ProcessHandle | null> {
    return Promise.resolve(this.#options.table.adopt(runId, position));
  }
}
