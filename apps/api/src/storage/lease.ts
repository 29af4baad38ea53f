/**
 * Exactly one writer. Two things hold that together:
 *
 * - an advisory lock on a connection of its own. The server frees it when that connection is gone,
 *   so a killed holder is followed at once;
 * - an epoch in `writer_lease`, counted up by every take-over and checked, under the row's lock, by
 *   every write. So a holder that is only half dead (frozen, cut off) can be overruled: what it
 *   sends later writes nothing, and a statement of its that is under way is waited for.
 *
 *   waiting ──lock──► prepare (migrations) ──epoch + 1──► held ──epoch moved──► lost
 *      └── holder silent for `staleMs`: epoch + 1, its connection ended ──┘
 */
import { openPool, type Sql } from "./database.ts";

export type WriterLease = {
  readonly epoch: number;
  /** Give it up: the next in line has it at once. */
  release(): Promise<void>;
};

export type LeaseOptions = {
  readonly url: string;
  /** Who this is, for people. */
  readonly holder: string;
  /** Under the lock and before the epoch is ours: migrations. */
  readonly prepare: () => Promise<void>;
  /** Another has taken over. This process has to end. */
  readonly onLost: () => void;
  /** Told once, when another holds the lease. */
  readonly onWaiting?: (holder: string | null) => void;
  /** Stop waiting. */
  readonly signal?: AbortSignal;
  readonly times?: LeaseTimes;
};

export type LeaseTimes = {
  readonly pollMs: number;
  readonly renewMs: number;
  /** By the server's clock, so that two hosts need not agree. */
  readonly staleMs: number;
};

const TIMES: LeaseTimes = { pollMs: 250, renewMs: 3_000, staleMs: 15_000 };
/** "Lodg", and which of its locks. */
const LOCK = "1282368615, 1";
const UNDEFINED_TABLE = "42P01";

const EVICT_CONNECTION = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and (classid::int8, objid::int8) = (${LOCK}) and granted
    and database = (select oid from pg_database where datname = current_database())
    and pid <> pg_backend_pid()`;

/** Waits until the lease is ours. Rejects when the server cannot be reached to begin with. */
export async function acquireLease(options: LeaseOptions): Promise<WriterLease> {
  const times = options.times ?? TIMES;
  let wake = () => {};
  const sql = openPool(options.url, {
    name: "lease",
    max: 1,
    lasting: true,
    onClose: () => wake(),
  });
  try {
    const pid = await waitForLock(sql, options, times);
    await options.prepare();
    const epoch = await takeOver(sql, options.holder);
    const held = new HeldLease({ sql, epoch, pid, times, onLost: options.onLost });
    wake = () => held.check();
    return held;
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
}

/** Resolves with the server's process that holds the lock for us. */
async function waitForLock(sql: Sql, options: LeaseOptions, times: LeaseTimes): Promise<number> {
  for (let waited = false; ; waited = true) {
    options.signal?.throwIfAborted();
    try {
      const pid = await tryLock(sql);
      if (pid !== null) return pid;
      const holder = await evictIfStale(sql, times.staleMs);
      if (!waited) options.onWaiting?.(holder);
    } catch (error) {
      if (!waited) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, times.pollMs));
  }
}

async function tryLock(sql: Sql): Promise<number | null> {
  const [row] = await sql.unsafe<{ got: boolean; pid: number }[]>(
    `select pg_try_advisory_lock(${LOCK}) as got, pg_backend_pid() as pid`,
  );
  return row?.got ? row.pid : null;
}

/** A holder that has not renewed for long is overruled. Returns who holds the lease. */
async function evictIfStale(sql: Sql, staleMs: number): Promise<string | null> {
  try {
    const [row] = await sql<{ holder: string; epoch: string; stale: boolean }[]>`
      select holder, epoch, renewed_at < now() - ${staleMs} * interval '1 millisecond' as stale
      from writer_lease`;
    if (!row?.stale) return row?.holder ?? null;
    const [evicted] = await sql`
      update writer_lease set epoch = epoch + 1, renewed_at = now()
      where epoch = ${row.epoch} and renewed_at < now() - ${staleMs} * interval '1 millisecond'
      returning epoch`;
    if (evicted) await sql.unsafe(EVICT_CONNECTION);
    return row.holder;
  } catch (error) {
    // The holder is only about to migrate an empty database.
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) return null;
    throw error;
  }
}

async function takeOver(sql: Sql, holder: string): Promise<number> {
  const [row] = await sql<{ epoch: string }[]>`
    insert into writer_lease (id, epoch, holder) values (1, 1, ${holder})
    on conflict (id) do update
      set epoch = writer_lease.epoch + 1, holder = excluded.holder, renewed_at = now()
    returning epoch`;
  return Number(row?.epoch);
}

class HeldLease implements WriterLease {
  readonly epoch: number;
  readonly #sql: Sql;
  readonly #times: LeaseTimes;
  readonly #onLost: () => void;
  #pid: number;
  #timer: NodeJS.Timeout | null = null;
  #checking = false;
  #over = false;

  constructor(options: {
    readonly sql: Sql;
    readonly epoch: number;
    readonly pid: number;
    readonly times: LeaseTimes;
    readonly onLost: () => void;
  }) {
    this.epoch = options.epoch;
    this.#sql = options.sql;
    this.#pid = options.pid;
    this.#times = options.times;
    this.#onLost = options.onLost;
    this.#again(this.#times.renewMs);
  }

  /** Renew now: the connection may be gone, and with it the lock. */
  check(): void {
    if (this.#over || this.#checking) return;
    this.#checking = true;
    void this.#renew().then((next) => {
      this.#checking = false;
      this.#again(next);
    });
  }

  async release(): Promise<void> {
    this.#over = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#sql.end({ timeout: 1 });
  }

  #again(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#over) return;
    this.#timer = setTimeout(() => this.check(), ms);
    this.#timer.unref();
  }

  /** When to renew next. */
  async #renew(): Promise<number> {
    try {
      const [row] = await this.#sql<{ pid: number }[]>`
        update writer_lease set renewed_at = now() where id = 1 and epoch = ${this.epoch}
        returning pg_backend_pid() as pid`;
      if (!row) {
        if (!this.#over) {
          this.#over = true;
          this.#onLost();
          await this.#sql.end({ timeout: 1 });
        }
        return 0;
      }
      if (row.pid === this.#pid) return this.#times.renewMs;
      // Another connection than the one that held the lock: ask for it again. Whoever has it now
      // will count the epoch up, and then we know.
      this.#pid = (await tryLock(this.#sql)) ?? 0;
      return this.#pid === 0 ? this.#times.pollMs : this.#times.renewMs;
    } catch {
      // The server is away; nobody can take over meanwhile without our learning of it here.
      return this.#times.pollMs;
    }
  }
}
