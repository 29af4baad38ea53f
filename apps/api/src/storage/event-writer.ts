/**
 * The only one that inserts events. One loop and no clock: take what is queued, write it in one
 * statement, take what has come in meanwhile.
 *
 *   queued ──take──► under way ──committed──► durable (told, per session, in order)
 *                        │ ▲
 *        outage: the same rows again, without those that turn out to be there
 *        data error: halves by session, then by batch, then `salvage` finds the refused part
 *
 * A batch leaves `under way` in three ways only: durable; its session stuck; or the writer itself
 * over (fenced, closed). Nothing is told durable before its commit is known.
 */
import type { SessionEvent, SessionId } from "@lodge/protocol";
import type { Batch } from "@lodge/session";
import { encodeBatch, type EncodedBatch } from "./encoded-batch.ts";
import { leaveOutPresent } from "./reconcile.ts";
import { salvage } from "./salvage.ts";
import type { WriteConnection } from "./write-connection.ts";
import { classifyFailure } from "./write-failure.ts";
import { WriteQueue, type TakeLimits } from "./write-queue.ts";

export const WRITE_LIMITS: TakeLimits = { rows: 1_000, bytes: 4 * 1024 * 1024 };
const UNIQUE_VIOLATION = "23505";
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
/** How long a statement under way may hold up the end. */
const CLOSE_PATIENCE_MS = 2_000;

export type EventWriterOptions = {
  readonly connection: WriteConnection;
  readonly onDurable: (
    sessionId: SessionId,
    batches: number,
    replaced: readonly SessionEvent[],
  ) => void;
  readonly onHealth: (healthy: boolean) => void;
  /** Another writer has the lease: this process has to end. */
  readonly onFenced: () => void;
  /** Something a person should know: what was refused, which session is stuck. */
  readonly onTrouble: (trouble: WriteTrouble) => void;
};

export type WriteTrouble =
  | { readonly kind: "outage"; readonly message: string }
  | { readonly kind: "poison"; readonly sessionId: SessionId; readonly lost: readonly string[] }
  | { readonly kind: "stuck"; readonly sessionId: SessionId; readonly message: string };

type Pending = EncodedBatch & { readonly order: number };
type Waiter = {
  readonly until: number;
  remaining: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};
/** Thrown through the loop to end it. */
class WriterOver extends Error {}

export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #queue = new WriteQueue<Pending>();
  readonly #stuck = new Map<SessionId, string>();
  #waiters: Waiter[] = [];
  #ahead: readonly Pending[] | null = null;
  #order = 0;
  #pendingBatches = 0;
  #backlog = 0;
  #healthy = true;
  #over: "fenced" | "closed" | null = null;
  #wake: (() => void) | null = null;
  readonly #interrupt = new AbortController();
  readonly #loop: Promise<void>;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#loop = this.#run();
  }

  get healthy(): boolean {
    return this.#healthy && this.#over === null;
  }

  get backlogBytes(): number {
    return this.#backlog;
  }

  append(batch: Batch): void {
    if (this.#over || this.#stuck.has(batch.sessionId)) return;
    const pending = { ...encodeBatch(batch), order: this.#order++ };
    this.#pendingBatches++;
    this.#backlog += pending.bytes;
    this.#queue.push(pending);
    this.#wake?.();
  }

  flush(): Promise<void> {
    if (this.#over) return Promise.reject(this.#overError());
    if (this.#stuck.size > 0) return Promise.reject(this.#stuckError());
    if (this.#pendingBatches === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({
        until: this.#order,
        remaining: this.#pendingBatches,
        resolve,
        reject,
      });
    });
  }

  /** The statement did not come back in time; it may yet. */
  slow(): void {
    this.#setHealthy(false);
  }

  /** Ends after the statement that is under way. What is queued is given up: `flush` first. */
  async close(): Promise<void> {
    this.#end("closed");
    const { connection } = this.#options;
    const impatient = setTimeout(() => void connection.reset(), CLOSE_PATIENCE_MS);
    await this.#loop;
    clearTimeout(impatient);
    await connection.close();
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        if (this.#over) return;
        const batches = this.#ahead ?? this.#queue.take(WRITE_LIMITS);
        this.#ahead = null;
        if (batches.length > 0) await Promise.all([this.#settle(batches), this.#prepareAhead()]);
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } catch (error) {
      if (!(error instanceof WriterOver)) throw error;
    }
  }

  /** Under load the next statement is built while the server is busy with this one. */
  async #prepareAhead(): Promise<void> {
    await new Promise<void>((sent) => setImmediate(sent));
    if (this.#over || !this.#queue.fills(WRITE_LIMITS)) return;
    this.#ahead = this.#queue.take(WRITE_LIMITS);
    this.#options.connection.prepare(this.#ahead);
  }

  /** Until each is durable or its session stuck. */
  async #settle(batches: readonly Pending[]): Promise<void> {
    const refusal = await this.#attempt(batches);
    if (refusal === null) return;
    const sessions = [...new Set(batches.map(({ batch }) => batch.sessionId))];
    const only = batches[0];
    if (sessions.length > 1) {
      const first = new Set(sessions.slice(0, sessions.length >> 1));
      await this.#settle(batches.filter(({ batch }) => first.has(batch.sessionId)));
      await this.#settle(batches.filter(({ batch }) => !first.has(batch.sessionId)));
    } else if (batches.length > 1) {
      await this.#settle(batches.slice(0, batches.length >> 1));
      await this.#settle(batches.slice(batches.length >> 1));
    } else if (only) await this.#salvage(only);
  }

  async #salvage(pending: Pending): Promise<void> {
    const { sessionId } = pending.batch;
    let rest: Pending | undefined;
    const unreadable = await this.#outliving(async () => {
      [rest] = await this.#withoutPresent([pending]);
    });
    if (unreadable !== null) return this.#getStuck(sessionId, [pending], unreadable);
    if (!rest) return;
    const outcome = await salvage(rest, (batch) =>
      this.#outliving(() => this.#options.connection.rehearse([batch])),
    );
    if (outcome.kind === "stuck") return this.#getStuck(sessionId, [pending], outcome.reason);
    if (outcome.lost.length > 0)
      this.#options.onTrouble({ kind: "poison", sessionId, lost: outcome.lost });
    const refusal = await this.#attempt([{ ...outcome.batch, order: pending.order }]);
    if (refusal !== null) this.#getStuck(sessionId, [pending], refusal);
  }

  /** Write them, through any number of outages. null: settled; otherwise why the data is refused. */
  async #attempt(given: readonly Pending[]): Promise<string | null> {
    let batches =
      this.#stuck.size === 0 ? given : given.filter((pending) => !this.#releasedAsStuck(pending));
    if (batches.length === 0) return null;
    // Whether some of it may be in the log already.
    let doubt = false;
    for (;;) {
      let taken = false;
      const refusal = await this.#outliving(
        async () => {
          if (doubt) batches = await this.#withoutPresent(batches);
          if (!(await this.#options.connection.write(batches))) this.#fence();
        },
        (code) => {
          taken = code === UNIQUE_VIOLATION && !doubt;
        },
        () => {
          doubt = true;
        },
      );
      if (refusal === null) {
        this.#settled(batches);
        return null;
      }
      if (!taken) return refusal;
      doubt = true;
    }
  }

  /** Do it until it is done or refused; outages in between are told and waited out. */
  async #outliving(
    work: () => Promise<void>,
    onRefused: (code: string) => void = () => {},
    onOutage: () => void = () => {},
  ): Promise<string | null> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await work();
        this.#setHealthy(true);
        return null;
      } catch (error) {
        if (error instanceof WriterOver) throw error;
        const failure = classifyFailure(error);
        if (failure.kind === "data") {
          onRefused(failure.code);
          return failure.message;
        }
        onOutage();
        this.#setHealthy(false);
        this.#options.onTrouble({ kind: "outage", message: failure.message });
        await this.#options.connection.reset();
        await this.#pause(pause);
      }
    }
  }

  async #withoutPresent(batches: readonly Pending[]): Promise<Pending[]> {
    const present = await this.#options.connection.present(batches);
    const left: Pending[] = [];
    for (const pending of batches) {
      const { sessionId } = pending.batch;
      if (this.#stuck.has(sessionId)) continue;
      const rest = leaveOutPresent(pending, present.get(sessionId) ?? new Map());
      if (rest) left.push({ ...rest, order: pending.order });
      else {
        const ofSession = batches.filter(
          ({ batch, order }) => batch.sessionId === sessionId && order >= pending.order,
        );
        this.#getStuck(sessionId, ofSession, "another event stands in the log at its seq");
      }
    }
    return left;
  }

  #settled(batches: readonly Pending[]): void {
    const told = new Map<SessionId, { batches: number; replaced: SessionEvent[] }>();
    for (const pending of batches) {
      this.#release(pending, null);
      const { sessionId } = pending.batch;
      const session = told.get(sessionId) ?? { batches: 0, replaced: [] };
      session.batches++;
      session.replaced.push(...pending.replaced);
      told.set(sessionId, session);
    }
    for (const [sessionId, session] of told)
      this.#options.onDurable(sessionId, session.batches, session.replaced);
    this.#resolveWaiters();
  }

  #getStuck(sessionId: SessionId, under: readonly Pending[], message: string): void {
    this.#stuck.set(sessionId, message);
    for (const pending of [...under, ...this.#queue.drop(sessionId)])
      this.#release(pending, this.#stuckError());
    this.#options.onTrouble({ kind: "stuck", sessionId, message });
    this.#resolveWaiters();
  }

  #releasedAsStuck(pending: Pending): boolean {
    if (!this.#stuck.has(pending.batch.sessionId)) return false;
    this.#release(pending, this.#stuckError());
    return true;
  }

  /** It is not pending any more; with an error, those who wait for it are told so. */
  #release(pending: Pending, error: Error | null): void {
    this.#pendingBatches--;
    this.#backlog -= pending.bytes;
    for (const waiter of this.#waiters) {
      if (pending.order >= waiter.until) continue;
      waiter.remaining--;
      if (error) waiter.reject(error);
    }
  }

  #resolveWaiters(): void {
    const done = this.#waiters.filter((waiter) => waiter.remaining === 0);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.remaining > 0);
    for (const waiter of done) waiter.resolve();
  }

  #fence(): never {
    this.#end("fenced");
    this.#options.onFenced();
    throw new WriterOver();
  }

  #end(how: "fenced" | "closed"): void {
    if (this.#over) return;
    this.#setHealthy(false);
    this.#over = how;
    this.#interrupt.abort();
    this.#wake?.();
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#overError());
  }

  #setHealthy(healthy: boolean): void {
    if (this.#healthy === healthy || this.#over) return;
    this.#healthy = healthy;
    this.#options.onHealth(healthy);
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#interrupt;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        reject(new WriterOver());
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", end);
        resolve();
      }, ms);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }

  #overError(): Error {
    return new Error(
      this.#over === "fenced" ? "another writer has taken over" : "the store was closed",
    );
  }

  #stuckError(): Error {
    const sessions = [...this.#stuck].map(([sessionId, why]) => `${sessionId} (${why})`);
    return new Error(`stuck: ${sessions.join(", ")}`);
  }
}
