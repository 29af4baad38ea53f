/**
 * One cassette being played as a process.
 *
 *   print ─► wait out the recorded pause, then say the line
 *   in    ─► wait for a line of the same kind
 *   eof   ─► wait for end()
 *   exit  ─► gone
 *
 * A cassette that stops without an exit stays alive, and waits.
 */
import {
  encodeUtf8,
  ProcessGoneError,
  stdinKey,
  type Cassette,
  type CassetteEntry,
  type Position,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
  type WriteReceipt,
} from "@lodge/protocol";
import type { RunSignal } from "../spawn/spawner.ts";
import { Wakeup } from "../spool/wakeup.ts";
import { kindOf, ownId, parseLine, Renaming } from "./stdin-marks.ts";

export type PlayOptions = {
  /** 1: as it was; 0: as fast as it can be read. */
  readonly timescale: number;
  readonly now: () => number;
  readonly delay: (ms: number) => Promise<void>;
};

export class CassetteRun {
  readonly runId: string;
  readonly exited: Promise<ProcessExit>;
  readonly #entries: readonly CassetteEntry[];
  readonly #options: PlayOptions;
  readonly #lines: ProcessLine[] = [];
  readonly #keys = new Map<string, number>();
  /** Written and not yet met by a mark. */
  readonly #inbox: string[] = [];
  /** Keys of the recording's lines that had their turn. */
  readonly #met = new Set<string>();
  readonly #signals: RunSignal[] = [];
  readonly #renaming = new Renaming();
  readonly #news = new Wakeup();
  #written = 0;
  #next = 0;
  #stderr = "";
  #exit: ProcessExit | null = null;
  #isEnding = false;
  #isStopped = false;
  #resolve: (exit: ProcessExit) => void = () => undefined;

  constructor(runId: string, cassette: Cassette, options: PlayOptions) {
    this.runId = runId;
    this.#entries = cassette.entries;
    this.#options = options;
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    void this.#play();
  }

  async #play(): Promise<void> {
    let before = 0;
    for (; this.#next < this.#entries.length && this.#exit === null; this.#next++) {
      const entry = this.#entries[this.#next];
      if (entry === undefined) return;
      const pauseMs = (entry.t - before) * this.#options.timescale;
      before = entry.t;
      // What the host does has its own time.
      const isOurs = entry.ch === "in" || entry.ch === "signal" || entry.ch === "note";
      if (!isOurs && pauseMs > 0) await this.#options.delay(pauseMs);
      await this.#until(() => !this.#isStopped);
      if (this.#exit === null) await this.#perform(entry);
    }
  }

  async #perform(entry: CassetteEntry): Promise<void> {
    switch (entry.ch) {
      case "out":
        this.#print(this.#renaming.apply(entry.line));
        return;
      case "err":
        this.#stderr += entry.text;
        return;
      case "in":
        if ("eof" in entry) await this.#until(() => this.#isEnding);
        else await this.#meet(entry.line);
        return;
      case "signal":
        await this.#until(() => this.#signals.length > 0 || this.#isEnding);
        this.#signals.shift();
        return;
      case "exit":
        this.#finish(entry.code, entry.signal);
        return;
      case "note":
        return;
    }
  }

  /** Resolves when the condition holds, or the process is gone. */
  async #until(isTrue: () => boolean): Promise<void> {
    for (;;) {
      const { generation } = this.#news;
      if (isTrue() || this.#exit !== null) return;
      await this.#news.after(generation);
    }
  }

  async #meet(recorded: string): Promise<void> {
    const key = stdinKey(recorded);
    // Sent twice when it was recorded; nobody sends it twice to us.
    if (key !== null && this.#met.has(key)) return;
    if (key !== null) this.#met.add(key);
    const kind = kindOf(recorded);
    const find = (): number =>
      this.#inbox.findIndex((line) => kind === null || kindOf(line) === kind);
    await this.#until(() => find() >= 0 || this.#isEnding);
    const index = find();
    if (index < 0) return;
    const [line = ""] = this.#inbox.splice(index, 1);
    this.#renaming.add(ownId(recorded), ownId(line));
  }

  #print(text: string): void {
    const bytes = encodeUtf8(text);
    const offset = (this.#lines.at(-1)?.offset ?? 0) + bytes.byteLength + 1;
    const at = this.#options.now();
    this.#lines.push({ line: this.#lines.length + 1, offset, at, bytes });
    this.#news.wake();
  }

  #finish(code: number | null, signal: string | null): void {
    if (this.#exit !== null) return;
    const cause = this.#isEnding ? "stopped" : "exited";
    this.#exit = { code, signal, cause, stderr: this.#stderr };
    this.#resolve(this.#exit);
    this.#news.wake();
  }

  #write(line: string): WriteReceipt {
    const key = stdinKey(line);
    const earlier = key === null ? undefined : this.#keys.get(key);
    if (earlier !== undefined) return { journalLine: earlier, duplicate: true };
    if (this.#exit !== null) throw new ProcessGoneError();
    this.#written += 1;
    if (key !== null) this.#keys.set(key, this.#written);
    if (this.#isAwaited(line)) this.#inbox.push(line);
    else this.#answerUnasked(line);
    this.#news.wake();
    return { journalLine: this.#written, duplicate: false };
  }

  /** Does the recording have a place for this line, now or later? A user line may always wait. */
  #isAwaited(line: string): boolean {
    const kind = kindOf(line);
    if (kind === null || !kind.startsWith("control_request")) return true;
    return this.#entries
      .slice(this.#next)
      .some(
        (entry) =>
          entry.ch === "in" && "line" in entry && [null, kind].includes(kindOf(entry.line)),
      );
  }

  /** A request that nobody made when this was recorded: granted, and nothing comes of it. */
  #answerUnasked(line: string): void {
    const request_id = ownId(line);
    const response = { subtype: "success", request_id, response: {} };
    this.#print(JSON.stringify({ type: "control_response", response }));
    if (kindOf(line) === "control_request end_session") this.#finish(0, null);
  }

  #signal(signal: RunSignal): void {
    if (signal === "SIGSTOP" || signal === "SIGCONT") this.#isStopped = signal === "SIGSTOP";
    else if (this.#entries.slice(this.#next).some(({ ch }) => ch === "signal")) {
      this.#signals.push(signal);
    } else this.#finish(null, signal);
    this.#news.wake();
  }

  /** Where the recording has its end of input, it ends as it did; anywhere else, at once. */
  async #end(): Promise<void> {
    this.#isEnding = true;
    const next = this.#entries
      .slice(this.#next)
      .find((entry) => entry.ch === "out" || entry.ch === "exit" || "eof" in entry);
    if (next === undefined || next.ch === "out") this.#finish(0, null);
    this.#news.wake();
    await this.exited;
  }

  attach(from: Position): ProcessHandle {
    const isAlive = (): boolean => this.#exit === null;
    return {
      runId: this.runId,
      processId: `cassette-${this.runId}`,
      pid: null,
      get alive() {
        return isAlive();
      },
      lines: this.#read(from),
      committed: () => undefined,
      // Everything is in memory: nothing to wait for.
      write: async (line) => this.#write(line),
      signal: async (signal) => this.#signal(signal),
      end: () => this.#end(),
      exited: this.exited,
      release: () => this.onReleased(),
    };
  }

  onReleased: () => void = () => undefined;

  async *#read(from: Position): AsyncGenerator<ProcessLine> {
    for (let index = from.line; ; index++) {
      await this.#until(() => index < this.#lines.length);
      const line = this.#lines[index];
      if (line === undefined) return;
      yield line;
    }
  }

  /** What was written and met no mark, for a test to ask about. */
  get unmet(): readonly string[] {
    return this.#inbox.filter((line) => parseLine(line)["type"] !== "keep_alive");
  }
}
