/** Plays recordings as processes: for tests, demonstrations and looking at what once happened. */
import type {
  Cassette,
  Position,
  ProcessAdapter,
  ProcessHandle,
  SpawnConfig,
} from "@lodge/protocol";
import { START } from "@lodge/protocol";
import { CassetteRun, type PlayOptions } from "./cassette-run.ts";

export type CassetteAdapterOptions = PlayOptions & {
  /** What the process of this run will do. Rejects with SpawnError where there is nothing. */
  readonly cassette: (config: SpawnConfig) => Promise<Cassette>;
  /** The runs, which outlive the adapter: another on the same map finds them. */
  readonly runs?: Map<string, CassetteRun>;
};

export class CassetteAdapter implements ProcessAdapter {
  readonly #options: CassetteAdapterOptions;
  readonly #runs: Map<string, CassetteRun>;

  constructor(options: CassetteAdapterOptions) {
    this.#options = options;
    this.#runs = options.runs ?? new Map<string, CassetteRun>();
  }

  async spawn(config: SpawnConfig): Promise<ProcessHandle> {
    const { runId } = config;
    const cassette = await this.#options.cassette(config);
    const run = this.#runs.get(runId) ?? new CassetteRun(runId, cassette, this.#options);
    run.onReleased = () => this.#runs.delete(runId);
    this.#runs.set(runId, run);
    return run.attach(START);
  }

  adopt(runId: string, position: Position): Promise<ProcessHandle | null> {
    return Promise.resolve(this.#runs.get(runId)?.attach(position) ?? null);
  }
}
