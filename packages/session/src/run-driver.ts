/**
 * The one that talks to a run: connects to its process, turns its lines into events, and writes to
 * its stdin what the log says it should get.
 *
 * The log is the outbox. Nothing is written because of something that is not committed, except a
 * stop; and everything written has a key, so that after a crash the same things are written again
 * and the journal drops what it has. [A4] [A5]
 */
import {
  applyStream,
  dropPartial,
  encodeCancelInput,
  encodeInitialize,
  encodeInterrupt,
  encodePermissionAnswer,
  encodeSetEffort,
  encodeSetModel,
  encodeSetPermissionMode,
  encodeUserLine,
  encodeUtf8,
  initializeId,
  normalizeLine,
  ProcessGoneError,
  SpawnError,
  START,
  type ControlReply,
  type EventDraft,
  type PartialMessage,
  type Position,
  type ProcessAdapter,
  type ProcessExit,
  type ProcessHandle,
  type ProcessLine,
  type RunId,
  type Seq,
  type SessionEvent,
  type SpawnConfig,
} from "@lodge/protocol";
import type { EventLog } from "./event-log.ts";
import type { EventStorageAdapter, RunProgress } from "./event-storage.ts";
import { isTurnUnderWay, nextInput } from "./next-input.ts";
import { endOfRun } from "./end-of-run.ts";

/** Above this much unwritten log the reader of lines waits for the store. */
const BACKLOG_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 1_000;

export type RunDriverEffects = {
  readonly log: EventLog;
  readonly storage: EventStorageAdapter;
  readonly adapter: ProcessAdapter;
  readonly now: () => number;
  readonly restore: <T>(value: T) => Promise<T>;
  readonly report: (error: unknown, what: string) => void;
  readonly after: (ms: number, run: () => void) => () => void;
  /** The log changed through this driver: whoever decides on it should look again. */
  readonly onChange: () => void;
};

export class RunDriver {
  readonly runId: RunId;
  readonly #config: SpawnConfig;
  readonly #startSeq: Seq;
  readonly #effects: RunDriverEffects;
  #handle: ProcessHandle | null = null;
  #partial: PartialMessage | null = null;
  /** The end of the line before the message being written. */
  #messageStart: Position = START;
  #previous: Position = START;
  #stdin: Promise<void> = Promise.resolve();
  /** Keys this driver has put on their way; the journal knows those of its predecessors. */
  readonly #begun = new Set<string>();
  #handingOver: string | null = null;
  #ending = false;
  lastLineAt: number | null = null;
  /** `failed`: something of ours broke; the run may well live, and wants another driver. */
  readonly done: Promise<"over" | "failed">;

  constructor(config: SpawnConfig, startSeq: Seq, effects: RunDriverEffects) {
    this.runId = config.runId;
    this.#config = config;
    this.#startSeq = startSeq;
    this.#effects = effects;
    this.done = this.#run();
  }

  get processId(): string | null {
    return this.#handle?.processId ?? null;
  }
  get connected(): boolean {
    return this.#handle !== null;
  }
  /** The input that is being written to stdin at this moment: too late to withdraw it. */
  get handingOver(): string | null {
    return this.#handingOver;
  }

  async #run(): Promise<"over" | "failed"> {
    const { log, adapter, storage } = this.#effects;
    try {
      // Not only the start: where reading begins is known once all that was read before is durable.
      await log.whenSettled();
      const progress = await storage.readProgress(this.runId);
      const heard = progress !== null || (log.state.run?.ready ?? false);
      const handle = heard
        ? await adapter.adopt(this.runId, progress?.replay ?? START)
        : await adapter.spawn(this.#config);
      if (!handle) {
        this.#finish({ code: null, signal: null, cause: "unknown", stderr: "" }, null);
        return "over";
      }
      this.#handle = handle;
      this.#previous = progress?.replay ?? START;
      log.onProgress = (committed) => handle.committed(committed.replay);
      this.drive();
      await this.#read(handle, progress);
      this.#finish(await handle.exited, handle);
      return "over";
    } catch (error) {
      this.#handle = null;
      if (error instanceof SpawnError) {
        this.#failStart(error);
        return "over";
      }
      this.#effects.report(error, "a run's driver stopped");
      return "failed";
    }
  }

  #failStart(error: SpawnError): void {
    const at = { runId: this.runId, source: "runner" } as const;
    this.#effects.log.append([
      { ...at, type: "run:error", data: { code: error.code, message: error.message } },
      {
        ...at,
        type: "run:end",
        data: { reason: "error", code: null, signal: null, message: error.message },
      },
    ]);
    this.#effects.onChange();
  }

  // ------------------------------------------------------------- reading

  async #read(handle: ProcessHandle, progress: RunProgress | null): Promise<void> {
    const known = progress?.done.line ?? 0;
    for await (const line of handle.lines) {
      // For its own session only: another's trouble in the store must not stop this one. [A16]
      if (this.#effects.storage.backlogBytes > BACKLOG_BYTES) await this.#effects.log.whenSettled();
      this.#takeLine(line, line.line <= known);
    }
  }

  /** `replayed`: its events are in the log; only the message under way needs it again. */
  #takeLine(line: ProcessLine, replayed: boolean): void {
    const { log } = this.#effects;
    this.lastLineAt = line.at;
    const meaning = normalizeLine(line.bytes, { runId: this.runId, state: log.state }, line.cut);
    const here: Position = { line: line.line, offset: line.offset };
    if (meaning.stream) {
      if (meaning.stream.type === "message_start") this.#messageStart = this.#previous;
      const step = applyStream(this.#partial, meaning.stream, {
        sessionId: log.sessionId,
        runId: this.runId,
      });
      this.#partial = step.partial;
      // Of a line read again viewers have the delta, and pass it over.
      if (step.delta) log.publishDelta(step.delta);
    }
    this.#previous = here;
    if (replayed) return;
    const onlyDelta = meaning.stream !== null && meaning.events.length === 0;
    if (onlyDelta) return;
    const events = log.append(
      meaning.events.map((draft) => ({ ...draft, at: draft.at ?? line.at })),
      {
        origin: { runId: this.runId, line: line.line },
        raw: [{ runId: this.runId, dir: "out", line: line.line, at: line.at, bytes: line.bytes }],
        progress: { runId: this.runId, done: here, replay: this.#replayFrom(here) },
      },
    );
    for (const event of events) this.#partial = dropPartial(this.#partial, event);
    for (const answer of meaning.answers) this.#enqueue(null, async () => answer);
    if (meaning.reply) this.#takeReply(meaning.reply);
    if (events.length > 0) this.#effects.onChange();
  }

  /**
   * While a message is being written, a successor must begin where it began: a viewer who joins
   * after a crash would otherwise see it without its beginning. [D4]
   */
  #replayFrom(here: Position): Position {
    return this.#partial ? this.#messageStart : here;
  }

  #takeReply(reply: ControlReply): void {
    const cancelled = /^cancel-(.+)$/.exec(reply.requestId)?.[1];
    if (cancelled && reply.ok && reply.response?.["cancelled"] === true) {
      this.#append({
        type: "input:cancelled",
        data: { inputId: cancelled, reason: "stopped" },
        source: "cli",
        runId: this.runId,
      });
    }
  }

  #append(...drafts: EventDraft[]): readonly SessionEvent[] {
    const events = this.#effects.log.append(drafts);
    this.#effects.onChange();
    return events;
  }

  // ------------------------------------------------------------- writing

  /** Look at the log and put on its way whatever the process should have and was not given. */
  drive(): void {
    const { log } = this.#effects;
    const state = log.state;
    const run = state.run;
    if (!this.#handle || run?.runId !== this.runId || !run.alive) return;
    if (state.stop?.scope === "run") {
      this.#end();
      return;
    }
    this.#once("initialize", this.#startSeq, async () =>
      encodeInitialize(initializeId(this.runId)),
    );
    if (state.stop?.scope === "turn") this.interrupt();
    for (const prompt of state.resolved) {
      if (
        prompt.runId !== this.runId ||
        prompt.outcome === "withdrawn" ||
        prompt.outcome === "lost"
      )
        continue;
      this.#once(`answer-${prompt.requestId}`, prompt.seq, () => this.#answerLine(prompt.seq));
    }
    this.#driveConfig();
    this.#driveInput();
  }

  #driveConfig(): void {
    const { config, configChanges } = this.#effects.log.state;
    const { permissionMode, model, effort } = configChanges;
    if (permissionMode !== undefined) {
      const id = `config-${permissionMode}-mode`;
      this.#once(id, permissionMode, async () =>
        encodeSetPermissionMode(id, config.permissionMode),
      );
    }
    if (model !== undefined) {
      const id = `config-${model}-model`;
      this.#once(id, model, async () => encodeSetModel(id, config.model));
    }
    if (effort !== undefined) {
      const id = `config-${effort}-effort`;
      this.#once(id, effort, async () => encodeSetEffort(id, config.effort));
    }
  }

  #driveInput(): void {
    if (this.#handingOver !== null) return;
    const input = nextInput(this.#effects.log.state);
    if (!input) return;
    this.#handingOver = input.inputId;
    this.#enqueue(
      input.queuedSeq,
      async () => {
        // Things may have happened while it waited for its commit: look again.
        if (nextInput(this.#effects.log.state)?.inputId !== input.inputId) return null;
        const event = await this.#effects.log.at(input.queuedSeq);
        if (event?.type !== "input:queued")
          throw new Error(`input ${input.inputId} is not in the log`);
        const { text, contentBlocks } = await this.#effects.restore(event.data);
        return encodeUserLine({ inputId: input.inputId, text: text as string, contentBlocks });
      },
      (written) => {
        this.#handingOver = null;
        if (!written) return;
        this.#append({
          type: "input:sent",
          data: { inputId: input.inputId, source: "user" },
          source: "api",
          runId: this.runId,
        });
      },
    );
  }

  async #answerLine(seq: Seq): Promise<string> {
    const event = await this.#effects.log.at(seq);
    if (event?.type !== "permission:resolved" || !event.data.answer)
      throw new Error(`no answer at ${seq}`);
    const answer = await this.#effects.restore(event.data.answer);
    return encodePermissionAnswer(event.data.requestId, answer);
  }

  /**
   * Interrupt the turn, at once: not after any commit, not behind anything waiting for one. What
   * was steered into the turn and not taken yet is called back first, or it would run next.
   */
  interrupt(): void {
    const { stop, inputs } = this.#effects.log.state;
    if (!stop || !isTurnUnderWay(this.#effects.log.state)) return;
    const id = `stop-${stop.seq}-${stop.at}`;
    if (this.#begun.has(id)) return;
    this.#begun.add(id);
    // What was handed over when nothing was under way is the turn itself: the interrupt gets it.
    const cancels = inputs
      .filter((input) => input.phase === "sent" && input.deliver === "steer")
      .map((input) => encodeCancelInput(`cancel-${input.inputId}`, input.inputId));
    for (const line of [...cancels, encodeInterrupt(id)])
      void this.#write(line).catch((error: unknown) => {
        this.#begun.delete(id);
        this.#lost(error);
      });
  }

  #end(): void {
    if (this.#ending || !this.#handle) return;
    this.#ending = true;
    this.#handle.end().catch((error: unknown) => {
      this.#ending = false;
      this.#effects.report(error, "ending a run failed");
      this.#effects.after(RETRY_MS, () => this.drive());
    });
  }

  /** Put a line on its way once per driver, after `seq` is committed. */
  #once(key: string, seq: Seq, line: () => Promise<string | null>): void {
    if (this.#begun.has(key)) return;
    this.#begun.add(key);
    this.#enqueue(seq, line, (written) => {
      if (!written) this.#begun.delete(key);
    });
  }

  /** Lines reach stdin in the order of this queue; a stop passes it by. */
  #enqueue(
    after: Seq | null,
    line: () => Promise<string | null>,
    settled: (written: boolean) => void = () => undefined,
  ): void {
    this.#stdin = this.#stdin
      .then(async () => {
        if (after !== null) await this.#effects.log.whenDurable(after);
        const text = await line();
        if (text !== null) await this.#write(text);
        settled(text !== null);
      })
      .catch((error: unknown) => {
        settled(false);
        this.#lost(error);
      });
  }

  async #write(line: string): Promise<void> {
    const handle = this.#handle;
    if (!handle) throw new ProcessGoneError();
    const receipt = await handle.write(line);
    this.#effects.log.append([], {
      raw: [
        {
          runId: this.runId,
          dir: "in",
          line: receipt.journalLine,
          at: this.#effects.now(),
          bytes: encodeUtf8(line),
        },
      ],
    });
  }

  #lost(error: unknown): void {
    // The process died first: its end is on its way and says so.
    if (error instanceof ProcessGoneError) return;
    this.#effects.report(error, "a line to a run was not written");
    this.#effects.after(RETRY_MS, () => this.drive());
  }

  // ------------------------------------------------------------- the end

  #finish(exit: ProcessExit, handle: ProcessHandle | null): void {
    const { log } = this.#effects;
    this.#partial = null;
    log.onProgress = null;
    const events = log.append(endOfRun(log.state, this.runId, exit));
    const last = events.at(-1)?.seq ?? 0;
    if (handle) void log.whenDurable(last).then(() => handle.release());
    this.#effects.onChange();
  }
}
