import { randomUUID } from "node:crypto";
import { LogBuilder } from "@lodge/session/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import {
  createTestDatabase,
  describeDatabase,
  type TestDatabase,
} from "../testing/test-database.ts";
import { openPool, type Sql } from "./database.ts";
import { acquireLease, type LeaseOptions, type WriterLease } from "./lease.ts";
import { PgEventStorage } from "./pg-event-storage.ts";

const QUICK = { pollMs: 10, renewMs: 50, staleMs: 60_000 };

describeDatabase("the writer's lease", () => {
  let database: TestDatabase;
  let sql: Sql;
  let open: WriterLease[];

  beforeEach(async () => {
    database = await createTestDatabase();
    sql = openPool(database.url, { name: "test", max: 2 });
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((lease) => lease.release()));
    await sql.end();
    await database.drop();
  });

  async function acquire(holder: string, rest: Partial<LeaseOptions> = {}): Promise<WriterLease> {
    const lease = await acquireLease({
      url: database.url,
      holder,
      prepare: async () => {},
      onLost: () => {},
      times: QUICK,
      ...rest,
    });
    open.push(lease);
    return lease;
  }

  const endConnections = (name: string) =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = ${`lodge ${name}`} and datname = current_database()`;

  test("a second waits, and has it as soon as the first lets go, with a higher epoch", async () => {
    const first = await acquire("first");
    const waiting = deferred<string | null>();
    let prepared = false;
    const second = acquire("second", {
      onWaiting: waiting.resolve,
      prepare: async () => {
        prepared = true;
      },
    });
    expect(await waiting.promise).toBe("first");
    expect(prepared).toBe(false);
    await first.release();
    expect((await second).epoch).toBe(first.epoch + 1);
    expect(prepared).toBe(true);
  });

  test("waiting can be given up", async () => {
    await acquire("first");
    const stop = new AbortController();
    const second = acquire("second", { onWaiting: () => stop.abort(), signal: stop.signal });
    await expect(second).rejects.toThrow("aborted");
  });

  test("a preparation that fails frees the lease", async () => {
    const failing = acquire("first", { prepare: () => Promise.reject(new Error("no")) });
    await expect(failing).rejects.toThrow("no");
    await acquire("second");
  });

  test("a holder whose connection ended takes the lock again and keeps its epoch", async () => {
    let lost = false;
    const lease = await acquire("first", { onLost: () => (lost = true) });
    const before = await lockedBy();
    await endConnections("lease");
    await expect
      .poll(async () => (await lockedBy()).filter((pid) => !before.includes(pid)))
      .toHaveLength(1);
    const waiting = deferred<string | null>();
    const stop = new AbortController();
    const second = acquire("second", { onWaiting: waiting.resolve, signal: stop.signal });
    expect(await waiting.promise).toBe("first");
    stop.abort();
    await expect(second).rejects.toThrow();
    expect(lost).toBe(false);
    expect(await epoch()).toBe(lease.epoch);
  });

  test("a silent holder is overruled: it learns of it, and what it writes is not written", async () => {
    const frozen = { ...QUICK, renewMs: 3_600_000 };
    const first = await acquire("first", { times: frozen });
    let fenced = false;
    const old = new PgEventStorage({
      url: database.url,
      epoch: first.epoch,
      onFenced: () => (fenced = true),
    });
    const log = new LogBuilder(randomUUID());
    old.append(log.batch(log.notes(1)));
    await old.flush();

    const second = await acquire("second", { times: { ...QUICK, staleMs: 0 } });
    expect(second.epoch).toBeGreaterThan(first.epoch);
    old.append(log.batch(log.notes(1)));
    await expect(old.flush()).rejects.toThrow("taken over");
    expect(fenced).toBe(true);
    expect(old.healthy).toBe(false);
    expect(await old.readAfter(log.sessionId, 0, 10)).toHaveLength(1);
    await old.close();
  });

  test("a holder that was overruled is told so when it wakes", async () => {
    const lost = deferred();
    await acquire("first", { onLost: lost.resolve });
    await sql`update writer_lease set epoch = epoch + 1`;
    await lost.promise;
  });

  test("a take-over waits for the statement that is under way", async () => {
    const first = await acquire("first");
    const under = deferred();
    const go = deferred();
    const writing = sql.begin(async (transaction) => {
      await transaction`select 1 from writer_lease where epoch = ${first.epoch} for no key update`;
      under.resolve();
      await go.promise;
    });
    await under.promise;
    await first.release();
    let taken = false;
    const second = acquire("second").then(() => (taken = true));
    await expect.poll(blocked).toHaveLength(1);
    expect(taken).toBe(false);
    go.resolve();
    await Promise.all([writing, second]);
    expect(taken).toBe(true);
  });

  const lockedBy = async () => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`;
    return rows.map(({ pid }) => pid);
  };
  const blocked = () =>
    sql`select pid from pg_stat_activity where datname = current_database()
        and application_name = 'lodge lease' and wait_event_type = 'Lock'`;
  const epoch = async () => Number((await sql`select epoch from writer_lease`)[0]?.["epoch"]);
});
