/**
 * Wraps an adapter and records what goes in and out of each run, as it is written and read. The
 * recording is handed over when the run is gone and its output was read to the end.
 */
import {
  decodeUtf8Lossy,
  type Cassette,
  type CassetteEntry,
  type CassetteHeader,
  type Position,
  type ProcessAdapter,
  type ProcessHandle,
  type ProcessLine,
  type SpawnConfig,
} from "@lodge/protocol";

export type CassetteRecorderOptions = {
  readonly adapter: ProcessAdapter;
  readonly header: Omit<CassetteHeader, "v">;
  readonly now: () => number;
  readonly onRecorded: (runId: string, cassette: Cassette) => void;
};

export class CassetteRecorder implements ProcessAdapter {
  readonly #options: CassetteRecorderOptions;

  constructor(options: CassetteRecorderOptions) {
    this.#options = options;
  }

  async spawn(config: SpawnConfig): Promise<ProcessHandle> {
    const begun = this.#options.now();
    return this.#record(await this.#options.adapter.spawn(config), begun);
  }

  /** Of a run that was taken up later, the recording has what came after. */
  async adopt(runId: string, position: Position): Promise<ProcessHandle | null> {
    const begun = this.#options.now();
    const handle = await this.#options.adapter.adopt(runId, position);
    return handle === null ? null : this.#record(handle, begun);
  }

  #record(handle: ProcessHandle, begun: number): ProcessHandle {
    const { now, header, onRecorded } = this.#options;
    const entries: CassetteEntry[] = [];
    const t = (): number => Math.max(0, Math.round(now() - begun));

    async function* lines(): AsyncGenerator<ProcessLine> {
      for await (const line of handle.lines) {
        const text = decodeUtf8Lossy(line.bytes);
        entries.push({ t: Math.max(0, Math.round(line.at - begun)), ch: "out", line: text });
        yield line;
      }
      const { code, signal, stderr } = await handle.exited;
      if (stderr !== "") entries.push({ t: t(), ch: "err", text: stderr });
      entries.push({ t: t(), ch: "exit", code, signal });
      onRecorded(handle.runId, { header: { v: 1, ...header }, entries });
    }

    return {
      runId: handle.runId,
      processId: handle.processId,
      exited: handle.exited,
      lines: lines(),
      get pid() {
        return handle.pid;
      },
      get alive() {
        return handle.alive;
      },
      committed: (position) => handle.committed(position),
      release: () => handle.release(),
      write: async (line) => {
        // Noted before it is written: the answer may be read before the receipt is here.
        const entry: CassetteEntry = { t: t(), ch: "in", line };
        entries.push(entry);
        const forget = (): void => void entries.splice(entries.indexOf(entry), 1);
        const receipt = await handle.write(line).catch((error: unknown) => {
          forget();
          throw error;
        });
        if (receipt.duplicate) forget();
        return receipt;
      },
      signal: (signal) => {
        entries.push({ t: t(), ch: "signal", signal });
        return handle.signal(signal);
      },
      end: () => {
        if (handle.alive) entries.push({ t: t(), ch: "in", eof: true });
        return handle.end();
      },
    };
  }
}
