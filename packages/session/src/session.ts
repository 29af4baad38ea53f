/**
 * One session: what people may do to it, and what follows from its log.
 *
 * Every act is decided on the log as appended, one act at a time, and answered once it is
 * committed. `drive` then looks at the log and starts, feeds or ends the run accordingly; it can be
 * called at any time, any number of times.
 */
import {
  buildAnswer,
  type AnswerBody,
  type Author,
  type EventDraft,
  type InputState,
  type ProcessAdapter,
  type RunId,
  type Seq,
  type SessionId,
  type SessionState,
} from "@lodge/protocol";
import { ActQueue } from "./act-queue.ts";
import type { ConfigChange, ReplaceInput, SendInput } from "./acts.ts";
import type { EventLog } from "./event-log.ts";
import type { EventStorageAdapter } from "./event-storage.ts";
import { hasQueued, isTurnUnderWay } from "./next-input.ts";
import { Refused } from "./refused.ts";
import { restoreBlobs } from "./restore-blobs.ts";
import { RunDriver } from "./run-driver.ts";
import type { SessionRecord } from "./session-record.ts";
import { draftRunStart, type RunStartDraft } from "./run-start.ts";
import { draftName } from "./title-from.ts";

export type SessionEffects = {
  readonly storage: EventStorageAdapter;
  readonly adapter: ProcessAdapter;
  readonly now: () => number;
  readonly newId: () => string;
  readonly toBase64: (bytes: Uint8Array) => string;
  readonly report: (error: unknown, what: string) => void;
  /** How long an act waits for its commit before it answers `outcome_unknown`. */
  readonly commitDeadlineMs: number;
  readonly after: (ms: number, run: () => void) => () => void;
};

/** After something of ours broke: the run lives on, another driver takes it up. */
const RECONNECT_MS = 1_000;

export class Session {
  readonly log: EventLog;
  readonly record: SessionRecord;
  readonly #effects: SessionEffects;
  #driver: RunDriver | null = null;
  readonly #acts: ActQueue;
  #driving = false;
  touchedAt: number;

  constructor(record: SessionRecord, log: EventLog, effects: SessionEffects) {
    this.record = record;
    this.log = log;
    this.#effects = effects;
    this.#acts = new ActQueue(log, effects);
    this.touchedAt = effects.now();
  }

  get id(): SessionId {
    return this.log.sessionId;
  }
  get state(): SessionState {
    return this.log.state;
  }
  get lastLineAt(): number | null {
    return this.#driver?.lastLineAt ?? null;
  }
  /** Resolves when the present run, if there is one, is over. */
  async over(): Promise<void> {
    await this.#driver?.done;
  }
  /** Nothing here needs this object: it can be made again from storage. */
  get evictable(): boolean {
    return (
      !this.log.watched &&
      this.log.settled &&
      !(this.state.run?.alive ?? false) &&
      this.#driver === null
    );
  }

  // ------------------------------------------------------------- acts

  /** Make sure a process is there. Repeatable: a live run is the answer. */
  async start(by: Author): Promise<{ runId: RunId; processId: string | null }> {
    const runId = await this.#acts.run(async () => {
      const { run } = this.state;
      if (run?.alive) return { value: run.runId, seq: run.startSeq };
      const draft = this.#runStart(by);
      const seq = this.#append(draft);
      return { value: draft.runId, seq };
    });
    return { runId, processId: this.#driver?.processId ?? null };
  }

  /** Accept an input. The same inputId again: the same answer, nothing appended. [I1] */
  async send(input: SendInput, by: Author): Promise<{ inputId: string; seq: Seq }> {
    return this.#acts.run(async () => {
      const known = await this.#seqOfInput(input.inputId);
      if (known !== null) return { value: { inputId: input.inputId, seq: known }, seq: known };
      const queued: EventDraft = {
        type: "input:queued",
        source: "person",
        by,
        runId: null,
        data: {
          inputId: input.inputId,
          text: input.input,
          contentBlocks: input.contentBlocks ?? [],
          deliver: input.deliver ?? "queue",
        },
      };
      const seq = this.state.seq + 1;
      // In one batch: what was written and that a process is wanted for it are kept together.
      const last = this.#append(
        queued,
        ...draftName(this.state, input.input),
        ...(this.state.run?.alive ? [] : [this.#runStart(by)]),
      );
      return { value: { inputId: input.inputId, seq }, seq: last };
    });
  }

  /** Take back an input that is still in the queue. */
  async withdraw(inputId: string, by: Author): Promise<{ seq: Seq }> {
    return this.#acts.run(async () => {
      await this.#queuedInput(inputId);
      const seq = this.#append({
        type: "input:cancelled",
        source: "person",
        by,
        runId: null,
        data: { inputId, reason: "withdrawn" },
      });
      return { value: { seq }, seq };
    });
  }

  /**
   * Edit or move an input that is still in the queue: another one stands in its place. The same
   * new id again: the same answer. [I12]
   */
  async replace(
    inputId: string,
    change: ReplaceInput,
    by: Author,
  ): Promise<{ inputId: string; seq: Seq }> {
    return this.#acts.run(async () => {
      const known = await this.#seqOfInput(change.inputId);
      if (known !== null) return { value: { inputId: change.inputId, seq: known }, seq: known };
      const old = await this.#queuedInput(inputId);
      await this.log.whenDurable(old.queuedSeq);
      const event = await this.log.at(old.queuedSeq);
      if (event?.type !== "input:queued") throw new Error(`input ${inputId} is not in the log`);
      const whole = await this.#restore(event.data);
      // Reading took time: it may have been handed over.
      await this.#queuedInput(inputId);
      const seq = this.state.seq + 1;
      const at = { source: "person", by, runId: null } as const;
      const last = this.#append(
        {
          ...at,
          type: "input:queued",
          data: {
            inputId: change.inputId,
            text: change.input ?? whole.text,
            contentBlocks: change.contentBlocks ?? whole.contentBlocks,
            deliver: change.deliver ?? old.deliver,
            replaces: inputId,
            ...(change.before === undefined ? {} : { before: change.before }),
          },
        },
        { ...at, type: "input:cancelled", data: { inputId, reason: "replaced" } },
      );
      return { value: { inputId: change.inputId, seq }, seq: last };
    });
  }

  /**
   * Stop the turn, or end the run. Not queued behind other acts and not refused while the store is
   * down: the process is told at once, the log as soon as it can. [A7]
   */
  stop(
    scope: "turn" | "run",
    by: Author | null,
    reason?: "idle" | "trust",
  ): { scope: "turn" | "run" | null } {
    const { run, stop } = this.state;
    if (!run?.alive) return { scope: null };
    if (stop?.scope === "run") return { scope: "run" };
    const effective = scope === "turn" && this.#mustEnd() ? "run" : scope;
    if (effective === "turn" && !isTurnUnderWay(this.state) && !hasQueued(this.state))
      return { scope: null };
    this.#append({
      type: "stop:requested",
      source: by ? "person" : "api",
      by,
      runId: run.runId,
      data: { scope: effective, ...(reason ? { reason } : {}) },
    });
    return { scope: effective };
  }

  /** A stop of the turn that cannot stop a turn: the last one is unanswered, or the start hangs. */
  #mustEnd(): boolean {
    const { run, stop, queueHeld } = this.state;
    return stop !== null || (run?.ready === false && (queueHeld || !hasQueued(this.state)));
  }

  /** Answer a prompt. The first answer wins; whoever comes later is told. [P2] */
  async answer(requestId: string, body: AnswerBody, by: Author): Promise<{ seq: Seq }> {
    return this.#acts.run(async () => {
      const prompt = this.state.prompts.find((item) => item.requestId === requestId);
      if (!prompt) {
        const closed =
          this.state.resolved.some((item) => item.requestId === requestId) ||
          (await this.#effects.storage.findResolution(this.id, requestId)) !== null;
        if (closed) throw new Refused("already_resolved", "This prompt is closed already.");
        throw new Refused("not_found", "There is no such prompt.");
      }
      const whole = { ...prompt, input: await this.#restore(prompt.input) };
      // Restoring took time: the CLI may have withdrawn it.
      if (!this.state.prompts.includes(prompt))
        throw new Refused("already_resolved", "This prompt is closed already.");
      const seq = this.#append({
        type: "permission:resolved",
        source: "person",
        by,
        runId: prompt.runId,
        data: {
          requestId,
          outcome: body.behavior === "allow" ? "allowed" : "denied",
          answer: buildAnswer(whole, body),
          ...(body.message === undefined ? {} : { message: body.message }),
        },
      });
      return { value: { seq }, seq };
    });
  }

  async configure(change: ConfigChange, by: Author): Promise<{ seq: Seq }> {
    return this.#acts.run(async () => {
      const seq = this.#append({
        type: "config:changed",
        source: "person",
        by,
        runId: this.state.run?.alive ? this.state.run.runId : null,
        data: change,
      });
      return { value: { seq }, seq };
    });
  }

  /** The session's settings as it is made: part of the log before anything else. */
  async begin(change: ConfigChange, first: SendInput | null, by: Author): Promise<void> {
    await this.#acts.run(async () => {
      // A repeated request: everything was said the first time.
      if (this.state.seq > 0) return { value: undefined, seq: this.state.seq };
      const drafts: EventDraft[] = [];
      if (Object.keys(change).length > 0)
        drafts.push({ type: "config:changed", source: "person", by, runId: null, data: change });
      const seq = drafts.length > 0 ? this.#append(...drafts) : 0;
      return { value: undefined, seq };
    });
    if (first) await this.send(first, by);
  }

  // ------------------------------------------------------------- what follows

  /** Start, feed or end the run as the log demands. */
  drive(): void {
    // A change made while driving is seen by the loop, not by recursion.
    if (this.#driving) return;
    this.#driving = true;
    try {
      let seen: SessionState;
      do {
        seen = this.state;
        this.#driveOnce();
      } while (this.state !== seen);
    } finally {
      this.#driving = false;
    }
  }

  #driveOnce(): void {
    const { run } = this.state;
    if (run?.alive && this.#driver?.runId !== run.runId && this.#driver === null)
      this.#connect(run.runId);
    // A person wrote after the stop that ended the run: that message starts the next one.
    if (!run?.alive && hasQueued(this.state) && !this.state.queueHeld && this.#driver === null)
      this.#append(this.#runStart(null));
    this.#renewForTrust();
    this.#driver?.drive();
  }

  /** A run keeps the setting sources it was started with: trust given later takes a new run. */
  #renewForTrust(): void {
    const { run, config, tasks } = this.state;
    if (
      !run?.alive ||
      run.config.trust === config.trust ||
      this.state.stop ||
      isTurnUnderWay(this.state)
    )
      return;
    if (hasQueued(this.state) || this.state.prompts.length > 0) return;
    if (tasks.some((task) => task.status === "running")) return;
    this.stop("run", null, "trust");
  }

  #connect(runId: RunId): void {
    const { run } = this.state;
    if (!run) return;
    const driver = new RunDriver(
      {
        ...run.config,
        sessionId: this.id,
        runId,
        userId: this.record.userId,
        allowBypass: this.record.allowBypass,
      },
      run.startSeq,
      {
        log: this.log,
        storage: this.#effects.storage,
        adapter: this.#effects.adapter,
        now: this.#effects.now,
        restore: (value) => this.#restore(value),
        report: this.#effects.report,
        after: this.#effects.after,
        onChange: () => this.drive(),
      },
    );
    this.#driver = driver;
    void driver.done.then((end) => {
      const letGo = (): void => {
        if (this.#driver === driver) this.#driver = null;
        this.drive();
      };
      if (end === "over") letGo();
      else this.#effects.after(RECONNECT_MS, letGo);
    });
  }

  async #seqOfInput(inputId: string): Promise<Seq | null> {
    const here = this.state.inputs.find((item) => item.inputId === inputId);
    return here?.queuedSeq ?? this.#effects.storage.findInput(this.id, inputId);
  }

  /** The input, still in the queue and not on its way out of it. */
  async #queuedInput(inputId: string): Promise<InputState> {
    const find = () => this.state.inputs.find((item) => item.inputId === inputId);
    if (!find() && (await this.#effects.storage.findInput(this.id, inputId)) === null)
      throw new Refused("not_found", "There is no such input.");
    const input = find();
    if (input?.phase !== "queued" || this.#driver?.handingOver === inputId)
      throw new Refused("conflict", "It was handed to Claude already.");
    return input;
  }

  // ------------------------------------------------------------- helpers

  #runStart(by: Author | null): RunStartDraft {
    return draftRunStart(this.state, this.record, { by, newId: this.#effects.newId });
  }

  /** Append, look at the consequences, and tell the last seq. */
  #append(...drafts: readonly EventDraft[]): Seq {
    const events = this.log.append(drafts);
    this.touchedAt = this.#effects.now();
    this.drive();
    return events.at(-1)?.seq ?? 0;
  }

  #restore<T>(value: T): Promise<T> {
    return restoreBlobs(
      value,
      (id) => this.#effects.storage.readBlob(this.id, id),
      this.#effects.toBase64,
    );
  }
}
