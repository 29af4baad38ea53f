/**
 * The writer's one connection. A connection that failed is thrown away: what comes next begins on a
 * fresh one.
 *
 * No statement is waited for without end: a server that neither answers nor hangs up is an outage.
 */
import type { SessionId } from "@lodge/protocol";
import { openPool, type Sql } from "./database.ts";
import type { EncodedBatch } from "./encoded-batch.ts";
import { rowToEvent, EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import type { PresentEvents } from "./reconcile.ts";
import { WRITE, writeParameters } from "./write-statement.ts";

export type WriteDeadlines = {
  /** After this long without an answer the store counts as unhealthy. */
  readonly slowMs: number;
  /** After this long the connection is given up. */
  readonly deadMs: number;
};

const ROLLBACK = Symbol("rollback");

export class WriteConnection {
  readonly #url: string;
  readonly #epoch: number;
  readonly #deadlines: WriteDeadlines;
  readonly #onSlow: () => void;
  #pool: Sql | null = null;
  #prepared: { batches: readonly EncodedBatch[]; parameters: string[] } | null = null;

  constructor(options: {
    readonly url: string;
    readonly epoch: number;
    readonly deadlines: WriteDeadlines;
    readonly onSlow: () => void;
  }) {
    this.#url = options.url;
    this.#epoch = options.epoch;
    this.#deadlines = options.deadlines;
    this.#onSlow = options.onSlow;
  }

  /** Build the statement's parameters now, for a `write` of these very batches later. */
  prepare(batches: readonly EncodedBatch[]): string[] {
    const parameters = writeParameters(this.#epoch, batches);
    this.#prepared = { batches, parameters };
    return parameters;
  }

  /** false: the lease is not ours any more; nothing was written. */
  write(batches: readonly EncodedBatch[]): Promise<boolean> {
    const parameters =
      this.#prepared?.batches === batches ? this.#prepared.parameters : this.prepare(batches);
    this.#prepared = null;
    return this.#guarded(async (sql) => {
      const [row] = await sql.unsafe<{ held: number }[]>(WRITE, parameters, { prepare: true });
      return row?.held === 1;
    });
  }

  /** Write and take it back: resolves when nothing in it is refused. */
  async rehearse(batches: readonly EncodedBatch[]): Promise<void> {
    const parameters = writeParameters(this.#epoch, batches);
    await this.#guarded(async (sql) => {
      try {
        await sql.begin(async (transaction) => {
          await transaction.unsafe(WRITE, parameters, { prepare: true });
          throw ROLLBACK;
        });
      } catch (error) {
        if (error !== ROLLBACK) throw error;
      }
    });
  }

  /** The events that stand in the log at the seqs of these batches. */
  present(batches: readonly EncodedBatch[]): Promise<PresentEvents> {
    const seqs = new Map<SessionId, number[]>();
    for (const { batch, events } of batches)
      seqs.set(batch.sessionId, [
        ...(seqs.get(batch.sessionId) ?? []),
        ...events.map(({ event }) => event.seq),
      ]);
    return this.#guarded(async (sql) => {
      const present: PresentEvents = new Map();
      for (const [sessionId, wanted] of seqs) {
        const rows = await sql.unsafe<EventRow[]>(
          `select ${EVENT_COLUMNS} from events where session_id = $1 and seq = any($2::int4[])`,
          [sessionId, `{${wanted.join(",")}}`],
        );
        present.set(sessionId, new Map(rows.map((row) => [row.seq, rowToEvent(sessionId, row)])));
      }
      return present;
    });
  }

  /** Throw the connection away; what is under way on it fails. */
  async reset(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.end({ timeout: 0 });
  }

  /** Let what is under way finish. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.end({ timeout: 5 });
  }

  async #guarded<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#pool ??= openPool(this.#url, {
      name: "writer",
      max: 1,
      lasting: true,
      settings: {
        // One plan for all: the statement's shape never changes, and planning costs more than a small write.
        plan_cache_mode: "force_generic_plan",
        // That plan may be made while `sessions` is empty: it has to go by the key all the same.
        enable_seqscan: "off",
        enable_hashjoin: "off",
        enable_mergejoin: "off",
        jit: "off",
      },
    });
    const pool = this.#pool;
    const slow = setTimeout(this.#onSlow, this.#deadlines.slowMs);
    const dead = setTimeout(() => void pool.end({ timeout: 0 }), this.#deadlines.deadMs);
    try {
      return await work(pool);
    } finally {
      clearTimeout(slow);
      clearTimeout(dead);
    }
  }
}
