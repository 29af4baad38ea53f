import { expect, test } from "vitest";
import { MemoryEventStorage } from "./memory-storage.ts";
import { describeEventStorage } from "./testing/event-storage-contract.ts";
import { freshId, LogBuilder } from "./testing/log-builder.ts";

describeEventStorage("memory", async () => {
  let storage = new MemoryEventStorage();
  return {
    storage,
    createSession: async () => freshId(),
    readSummary: async (sessionId) => storage.summaryOf(sessionId),
    setMemoVersion: async (sessionId, version) => storage.setMemoVersion(sessionId, version),
    reopen: async () => (storage = storage.crash()),
    close: async () => storage.close(),
  };
});

function opened() {
  const storage = new MemoryEventStorage();
  const log = new LogBuilder(freshId());
  let durable = 0;
  storage.onDurable((_, batches) => {
    durable += batches;
  });
  return { storage, log, durable: () => durable };
}

test("a test decides when batches become durable", async () => {
  const { storage, log, durable } = opened();
  storage.hold();
  for (let n = 0; n < 3; n++) storage.append(log.batch(log.notes(1)));
  await Promise.resolve();
  expect(durable()).toBe(0);
  storage.release(2);
  expect(durable()).toBe(2);
  storage.release();
  expect(durable()).toBe(3);
  storage.append(log.batch(log.notes(1)));
  await storage.flush();
  expect(durable()).toBe(4);
});

test("while it fails nothing becomes durable; afterwards all does, in order", async () => {
  const { storage, log, durable } = opened();
  const health: boolean[] = [];
  storage.onHealth((healthy) => health.push(healthy));
  storage.fail();
  storage.append(log.batch(log.notes(2)));
  await Promise.resolve();
  expect([storage.healthy, durable()]).toEqual([false, 0]);
  storage.recover();
  await storage.flush();
  expect([storage.healthy, durable()]).toEqual([true, 1]);
  expect(health).toEqual([false, true]);
});

test("a crash loses what was not durable, and only that", async () => {
  const { storage, log } = opened();
  storage.append(log.batch(log.notes(2)));
  await storage.flush();
  storage.hold();
  storage.append(log.batch(log.notes(2)));
  const waiting = storage.flush();
  const next = storage.crash();
  await expect(waiting).rejects.toThrow("closed");
  expect(await next.readAfter(log.sessionId, 0, 10)).toHaveLength(2);
});
