/**
 * Claude for one turn: the prompt is the whole of stdin, and the process ends after its answer.
 * Nobody can be asked anything: a permission prompt meets the end of stdin and is denied.
 */
import {
  encodeUserLine,
  SpawnError,
  type Position,
  type ProcessAdapter,
  type ProcessHandle,
  type SpawnConfig,
} from "@lodge/protocol";
import type { ClaudeAdapterOptions } from "./claude-interactive-adapter.ts";
import { planRun } from "./plan-run.ts";

export type ClaudeCliAdapterOptions = ClaudeAdapterOptions & {
  /** Names the prompt's line: the CLI drops a second one of the same name. */
  readonly newId: () => string;
};

export class ClaudeCliAdapter implements ProcessAdapter {
  readonly #options: ClaudeCliAdapterOptions;

  constructor(options: ClaudeCliAdapterOptions) {
    this.#options = options;
  }

  spawn(config: SpawnConfig): Promise<ProcessHandle> {
    const { prompt } = config;
    if (prompt === undefined) {
      return Promise.reject(new SpawnError("bad_config", "A run of one turn needs its prompt."));
    }
    return this.#options.table.spawn(config, async () => ({
      ...(await planRun(config, this.#options)),
      feed: "file",
      firstLine: encodeUserLine({
        inputId: this.#options.newId(),
        text: prompt,
        contentBlocks: [],
      }),
    }));
  }

  adopt(runId: string, position: Position): Promise<ProcessHandle | null> {
    return Promise.resolve(this.#options.table.adopt(runId, position));
  }
}
