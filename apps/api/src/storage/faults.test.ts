/** What may go wrong between the writer and Postgres; afterwards every event is there exactly once. */
import { randomUUID } from "node:crypto";
import { encodeUtf8 } from "@lodge/protocol";
import { LogBuilder } from "@lodge/session/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasEmbeddedPostgres, startEmbeddedPostgres } from "../testing/embedded-postgres.ts";
import { openLossyProxy } from "../testing/lossy-proxy.ts";
import { openStorage, type OpenStorage } from "../testing/open-storage.ts";
import {
  createTestDatabase,
  describeDatabase,
  type TestDatabase,
} from "../testing/test-database.ts";
import { migrate } from "./migrate.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Some sessions that write without pause, line by line. */
function busySessions(open: OpenStorage, count: number) {
  const logs = Array.from({ length: count }, () => ({
    log: new LogBuilder(randomUUID(), 0, randomUUID()),
    lines: 0,
    durable: 0,
  }));
  const replaced: number[] = [];
  open.storage.onDurable((sessionId, batches, notices) => {
    const one = logs.find(({ log }) => log.sessionId === sessionId);
    if (one) one.durable += batches;
    replaced.push(...notices.map(({ seq }) => seq));
  });
  return {
    logs,
    replaced,
    write() {
      for (const one of logs) open.storage.append(one.log.line(++one.lines));
    },
    /** Each once, in order, with its line; told once; the position at the end. */
    async check() {
      await open.storage.flush();
      for (const { log, lines, durable } of logs) {
        const events = await open.storage.readAfter(log.sessionId, 0, 1_000_000);
        expect(events.map(({ seq }) => seq)).toEqual(
          Array.from({ length: lines }, (_, n) => n + 1),
        );
        expect(durable).toBe(lines);
        const raw: number[] = [];
        for await (const line of open.storage.readRaw(log.runId)) raw.push(line.line);
        expect(raw).toHaveLength(lines);
        expect(await open.storage.readProgress(log.runId)).toMatchObject({ done: { line: lines } });
      }
      expect(replaced).toEqual([]);
      expect(open.troubles.filter(({ kind }) => kind !== "outage")).toEqual([]);
      expect(open.storage.healthy).toBe(true);
      expect(open.storage.backlogBytes).toBe(0);
    },
  };
}

describeDatabase("faults", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("connections killed again and again while writing", async () => {
    const open = await openStorage(database.url);
    const sessions = busySessions(open, 8);
    const health: boolean[] = [];
    open.storage.onHealth((healthy) => health.push(healthy));
    for (let kills = 0; kills < 30;) {
      sessions.write();
      await tick();
      const killed = await open.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'lodge writer' and datname = current_database()
          and state = 'active'`;
      if (killed.length === 0) continue;
      kills++;
      // Something has to get through in between, or the pauses only grow.
      await open.storage.flush();
    }
    await sessions.check();
    expect(health).toContain(false);
    expect(health.at(-1)).toBe(true);
    await open.close();
  });

  test("the answer to a commit is lost: the commit is found, not repeated", async () => {
    await using proxy = await openLossyProxy(database.url);
    const open = await openStorage(proxy.url);
    const sessions = busySessions(open, 3);
    sessions.write();
    await open.storage.flush();
    for (let round = 1; round <= 5; round++) {
      const marker = `lose-${randomUUID()}`;
      proxy.loseAnswerTo(marker);
      const [first] = sessions.logs;
      open.storage.append(first!.log.line(++first!.lines, marker));
      sessions.write();
      await open.storage.flush();
      expect(proxy.lost()).toBe(round);
    }
    await sessions.check();
    expect(open.troubles).toHaveLength(5);
    await open.close();
  });

  test("a server that does not answer: unhealthy soon, given up later, nothing lost", async () => {
    const open = await openStorage(database.url, { deadlines: { slowMs: 20, deadMs: 100 } });
    const sessions = busySessions(open, 2);
    const health: boolean[] = [];
    open.storage.onHealth((healthy) => health.push(healthy));
    await open.sql.begin(async (transaction) => {
      await transaction`select 1 from writer_lease for update`;
      sessions.write();
      await expect.poll(() => open.storage.healthy).toBe(false);
      expect(open.troubles).toEqual([]);
      sessions.write();
      await expect.poll(() => open.troubles.length).toBeGreaterThan(1);
    });
    await sessions.check();
    expect(health).toEqual([false, true]);
    await open.close();
  });

  test("one session's poison while 50 others write", async () => {
    const open = await openStorage(database.url);
    const sessions = busySessions(open, 50);
    const bad = new LogBuilder(await open.createSession(randomUUID()), 0, randomUUID());
    let replaced = 0;
    open.storage.onDurable((_, __, notices) => (replaced += notices.length));
    for (let round = 0; round < 20; round++) {
      sessions.write();
      const line = bad.head + 1;
      const raw = [bad.raw(line, encodeUtf8(`raw ${line}`))];
      open.storage.append(bad.batch([bad.note(round % 2 ? "fine" : "bad\0")], { raw }));
      await tick();
    }
    await open.storage.flush();
    const events = await open.storage.readAfter(bad.sessionId, 0, 100);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(
      events.filter((event) => event.type === "notice" && event.data.kind === "poison"),
    ).toHaveLength(10);
    expect(replaced).toBe(10);
    sessions.replaced.length = 0;
    expect(open.troubles.every((trouble) => trouble.kind === "poison")).toBe(true);
    for (const { log, lines, durable } of sessions.logs) {
      expect(durable).toBe(lines);
      expect(await open.storage.readAfter(log.sessionId, 0, 100)).toHaveLength(lines);
    }
    await open.close();
  });

  test("a busy session does not hold up another's one batch", async () => {
    const open = await openStorage(database.url);
    const [busy, quiet] = [1, 2].map(() => new LogBuilder(randomUUID(), 0, randomUUID()));
    const durable = new Map<string, number>();
    let behind = 0;
    open.storage.onDurable((sessionId, batches) => {
      durable.set(sessionId, (durable.get(sessionId) ?? 0) + batches);
      if (sessionId === quiet!.sessionId) behind = durable.get(busy!.sessionId) ?? 0;
    });
    for (let n = 1; n <= 20_000; n++) open.storage.append(busy!.line(n));
    open.storage.append(quiet!.line(1));
    await open.storage.flush();
    expect(durable.get(quiet!.sessionId)).toBe(1);
    expect(behind).toBeLessThanOrEqual(1_000);
    await open.close();
  });

  test("what cannot be stored beside the events is left out, and said", async () => {
    const open = await openStorage(database.url);
    const log = new LogBuilder(await open.createSession(randomUUID()), 0, randomUUID());
    const blob = { id: "b", mediaType: "text/\0", bytes: encodeUtf8("x") };
    const raw = [
      log.raw(1, encodeUtf8("kept")),
      { ...log.raw(2, encodeUtf8("?")), at: Number.NaN },
    ];
    open.storage.append(log.batch(log.notes(2), { raw, blobs: [blob] }));
    await open.storage.flush();
    expect(await open.storage.readAfter(log.sessionId, 0, 10)).toHaveLength(2);
    expect(open.troubles).toMatchObject([
      {
        kind: "poison",
        lost: [expect.stringContaining("raw line"), expect.stringContaining("blob b")],
      },
    ]);
    await open.close();
  });

  test("a session that cannot be stored at all is stuck alone", async () => {
    const open = await openStorage(database.url);
    const sessions = busySessions(open, 2);
    const nameless = new LogBuilder("not a uuid", 0, randomUUID());
    sessions.write();
    open.storage.append(nameless.batch(nameless.notes(1)));
    open.storage.append(nameless.batch(nameless.notes(1)));
    await expect(open.storage.flush()).rejects.toThrow("stuck: not a uuid");
    sessions.write();
    await expect.poll(() => sessions.logs.every(({ durable }) => durable === 2)).toBe(true);
    expect(open.storage.backlogBytes).toBe(0);
    await open.close();
  });
});

test.skipIf(!hasEmbeddedPostgres())("Postgres crashes while writing, and comes back", async () => {
  const postgres = await startEmbeddedPostgres();
  try {
    await migrate(postgres.url);
    const open = await openStorage(postgres.url);
    const sessions = busySessions(open, 5);
    for (const how of ["crash", "fast"] as const) {
      for (let n = 0; n < 20; n++) {
        sessions.write();
        await tick();
      }
      await postgres.stop(how);
      sessions.write();
      await expect.poll(() => open.storage.healthy).toBe(false);
      await postgres.start();
      await open.storage.flush();
    }
    await sessions.check();
    await open.close();
  } finally {
    await postgres.remove();
  }
});
