/**
 * One recorded run: the same object whether its process was started by us, by a runner before us,
 * or is gone. What it knows comes from its spool; it holds nothing that could not be read again.
 *
 *   alive ──(its init is gone; strays swept)──► gone ──release──► no spool
 *
 * A run has any number of handles, each with its own place in the output; the last one given out is
 * the one that reads.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  encodeEndSession,
  ProcessGoneError,
  stdinKey,
  type Position,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
  type WriteReceipt,
} from "@lodge/protocol";
import { findCliPid, isAlive, type RunIdentity } from "../spawn/identity.ts";
import type { RunRef, RunSignal, Spawner } from "../spawn/spawner.ts";
import { Journal } from "../spool/journal.ts";
import { HolePunch } from "../spool/punch.ts";
import {
  readAck,
  readEnding,
  readExit,
  readStderrTail,
  removeSpool,
  writeDurably,
  type EndingCause,
  type ExitRecord,
  type RunIntent,
  type SpoolPaths,
} from "../spool/run-spool.ts";
import { tailLines } from "../spool/tail.ts";
import { Wakeup } from "../spool/wakeup.ts";
import { watchDirectory } from "../spool/watch-directory.ts";
import { endRun, type EndPatience } from "./end-run.ts";
import { describeExit } from "./run-exit.ts";

const RECORD_TIMEOUT_MS = 300;

export type RunDependencies = {
  readonly spawner: Spawner;
  readonly hostId: string;
  readonly now: () => number;
  readonly patience: EndPatience;
  readonly punch: (path: string, bytes: number) => Promise<boolean>;
  /** Of work in the background: it is not the caller's to handle. */
  readonly onError: (message: string, error: unknown) => void;
};

export type RunOptions = {
  readonly paths: SpoolPaths;
  readonly intent: RunIntent;
  readonly identity: RunIdentity;
  readonly dependencies: RunDependencies;
  readonly onReleased: () => void;
};

export class Run {
  readonly intent: RunIntent;
  readonly exited: Promise<ProcessExit>;
  readonly #paths: SpoolPaths;
  readonly #identity: RunIdentity;
  readonly #onReleased: () => void;
  readonly #dependencies: RunDependencies;
  readonly #journal: Journal;
  readonly #punch: HolePunch;
  readonly #news = new Wakeup();
  #resolveExited: (exit: ProcessExit) => void = () => undefined;
  #exit: ProcessExit | null = null;
  #isLooking = false;
  #mustLook = false;
  #mustKill = false;
  #stopWatching: () => void = () => undefined;
  #reader: { isStopped: boolean } = { isStopped: false };
  #ending: Promise<void> | null = null;
  /** Why we end it, also where the note of it could not be written. */
  #cause: EndingCause | null = null;
  #cliPid: number | null = null;
  #lastLineAt: number | null = null;
  #isReleased = false;

  private constructor(options: RunOptions, parts: { journal: Journal; punch: HolePunch }) {
    this.intent = options.intent;
    this.#paths = options.paths;
    this.#identity = options.identity;
    this.#onReleased = options.onReleased;
    this.#dependencies = options.dependencies;
    this.#journal = parts.journal;
    this.#punch = parts.punch;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  static async open(options: RunOptions): Promise<Run> {
    const { paths, dependencies } = options;
    const journal = await Journal.open(paths.stdin);
    const punch = new HolePunch({
      alreadyAt: await readAck(paths),
      persist: (position) => writeDurably(paths.ack, JSON.stringify(position)),
      punch: (bytes) => dependencies.punch(paths.stdout, bytes),
    });
    const run = new Run(options, { journal, punch });
    run.#stopWatching = watchDirectory(paths.directory, { onChange: () => void run.#look() });
    await run.#look();
    return run;
  }

  get runId(): string {
    return this.intent.config.runId;
  }

  get isAlive(): boolean {
    return this.#exit === null;
  }

  get lastLineAt(): number | null {
    return this.#lastLineAt;
  }

  get processId(): string {
    return `${this.#identity.pid}-${this.#identity.startTime}`;
  }

  get pid(): number | null {
    if (this.#cliPid === null && this.isAlive) this.#cliPid = findCliPid(this.#identity);
    return this.#cliPid;
  }

  /** Something changed in the spool, or a second went by. */
  async #look(): Promise<void> {
    this.#news.wake();
    this.#mustLook = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#mustLook && this.#exit === null) {
        this.#mustLook = false;
        if (this.#mustKill || (await this.#isInitGone())) await this.#conclude();
      }
    } catch (error) {
      this.#dependencies.onError(`run ${this.runId}: cannot tell how it is`, error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #isInitGone(): Promise<boolean> {
    if (this.#isOtherHost) return true;
    if ((await readExit(this.#paths)).init !== null) return true;
    return !isAlive(this.#identity);
  }

  get #isOtherHost(): boolean {
    return this.intent.hostId !== this.#dependencies.hostId;
  }

  /** The init is gone: what it may have left behind goes too, and only then the run is over. */
  async #conclude(): Promise<void> {
    const isElsewhere = this.#isOtherHost;
    if (!isElsewhere) await this.#dependencies.spawner.kill(this.#ref);
    const record = isElsewhere ? await readExit(this.#paths) : await this.#waitForRecord();
    this.#exit = describeExit({
      record,
      ending: this.#cause ?? (await readEnding(this.#paths)),
      isOtherHost: this.#isOtherHost,
      stderr: await readStderrTail(this.#paths),
    });
    this.#resolveExited(this.#exit);
    this.#news.wake();
  }

  /** The wrapper writes its line a moment after the init is gone; one that was killed never does. */
  async #waitForRecord(): Promise<ExitRecord> {
    const deadline = this.#dependencies.now() + RECORD_TIMEOUT_MS;
    for (;;) {
      const record = await readExit(this.#paths);
      if (record.init !== null || this.#dependencies.now() >= deadline) return record;
      await delay(5);
    }
  }

  get #ref(): RunRef {
    return { runId: this.runId, identity: this.#identity, tier: this.intent.tier };
  }

  async write(line: string): Promise<WriteReceipt> {
    const key = stdinKey(line);
    const earlier = key === null ? null : this.#journal.find(key);
    // What the journal holds was written, whatever became of the process since.
    if (!this.isAlive && earlier === null) throw new ProcessGoneError();
    if (this.intent.feed === "file" && earlier === null) {
      throw new ProcessGoneError("this run takes no input after its prompt");
    }
    return this.#journal.append(line);
  }

  signal(signal: RunSignal): void {
    if (this.isAlive) this.#dependencies.spawner.signal(this.#ref, signal);
  }

  /** Resolves when nothing of the run is left. The first cause stands. */
  end(cause: EndingCause): Promise<void> {
    this.#ending ??= this.#end(cause).catch((error: unknown) => {
      // So that it can be tried again.
      this.#ending = null;
      throw error;
    });
    return this.#ending;
  }

  async #end(cause: EndingCause): Promise<void> {
    if (!this.isAlive) return;
    this.#cause = cause;
    await writeDurably(this.#paths.ending, cause).catch((error: unknown) => {
      // A full disk, or a directory that is gone, must not keep a run alive: only a successor of
      // this daemon would not know why it ended.
      this.#dependencies.onError(`run ${this.runId}: cannot note why it is ended`, error);
    });
    await endRun({
      exited: this.exited,
      patience: this.#dependencies.patience,
      askToEnd: this.intent.feed === "file" ? null : () => this.#askToEnd(),
      terminate: () => this.signal("SIGTERM"),
      kill: () => {
        this.#mustKill = true;
        return this.#look();
      },
    });
  }

  async #askToEnd(): Promise<void> {
    await this.write(encodeEndSession(`end-${this.runId}`));
  }

  /** A handle that reads on after `position`; an earlier one's reading ends. */
  attach(position: Position): ProcessHandle {
    this.#reader.isStopped = true;
    this.#news.wake();
    const reader = { isStopped: false };
    this.#reader = reader;
    const isAliveNow = (): boolean => this.isAlive;
    const pidNow = (): number | null => this.pid;
    return {
      runId: this.runId,
      processId: this.processId,
      get pid() {
        return pidNow();
      },
      get alive() {
        return isAliveNow();
      },
      lines: this.#lines(position, reader),
      committed: (committed) => void this.#punch.advance(committed),
      write: (line) => this.write(line),
      signal: (signal) => Promise.resolve(this.signal(signal)),
      end: () => this.end("stopped"),
      exited: this.exited,
      release: () => void this.release().catch(this.#dependencies.onError.bind(null, "release")),
    };
  }

  async *#lines(position: Position, reader: { isStopped: boolean }): AsyncGenerator<ProcessLine> {
    const { readableFrom } = this.#punch;
    const lines = tailLines({
      path: this.#paths.stdout,
      from: position.offset < readableFrom.offset ? readableFrom : position,
      news: this.#news,
      isOver: () => !this.isAlive,
      isStopped: () => reader.isStopped,
      now: this.#dependencies.now,
    });
    for await (const line of lines) {
      this.#lastLineAt = line.at;
      yield line;
    }
  }

  /** Lets go of everything and leaves process and spool as they are. */
  async close(): Promise<void> {
    this.#stopWatching();
    this.#reader.isStopped = true;
    this.#news.wake();
    await this.#journal.close();
  }

  /** Its end is in the log: the spool goes. A run that lives is not touched. */
  async release(): Promise<void> {
    if (this.isAlive || this.#isReleased) return;
    this.#isReleased = true;
    await this.close();
    await removeSpool(this.#paths);
    this.#onReleased();
  }
}
