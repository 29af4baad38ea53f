/**
 * What every implementation of the storage port must do. Registered once for each: Postgres and
 * its twin in memory. Faults that only Postgres has are tested beside it.
 */
import { encodeUtf8, initialState, type SessionEvent, type SessionId } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventStorageAdapter } from "../event-storage.ts";
import { freshId, LogBuilder } from "./log-builder.ts";
import { poisoned, rawOf, sameBytes, seqs, upTo, type StorageHarness } from "./storage-stage.ts";
import { describeStoredData } from "./stored-data-contract.ts";

const ALL = 1_000_000;

export function describeEventStorage(name: string, open: () => Promise<StorageHarness>): void {
  describe(`event storage: ${name}: stored data`, () => describeStoredData(open));
  describe(`event storage: ${name}`, () => {
    let harness: StorageHarness;
    let storage: EventStorageAdapter;
    let log: LogBuilder;

    beforeEach(async () => {
      harness = await open();
      storage = harness.storage;
      log = await newLog();
    });
    afterEach(() => harness.close());

    const newLog = async () => new LogBuilder(await harness.createSession());
    const stored = (of: LogBuilder = log) => storage.readAfter(of.sessionId, 0, ALL);
    const watch = () => {
      const told = new Map<SessionId, number>();
      const replaced: SessionEvent[] = [];
      storage.onDurable((sessionId, batches, notices) => {
        told.set(sessionId, (told.get(sessionId) ?? 0) + batches);
        replaced.push(...notices);
      });
      return { told, replaced };
    };

    describe("order and watermark", () => {
      test("what was appended is there, in order and gapless, for each session", async () => {
        const logs = [log, await newLog(), await newLog()];
        const { told } = watch();
        for (let round = 0; round < 100; round++)
          for (const [n, one] of logs.entries()) storage.append(one.batch(one.notes(n + 1)));
        await storage.flush();
        for (const [n, one] of logs.entries()) {
          expect(seqs(await stored(one))).toEqual(upTo(100 * (n + 1)));
          expect(told.get(one.sessionId)).toBe(100);
        }
      });

      test("nothing is told durable inside append", async () => {
        const { told } = watch();
        storage.append(log.batch(log.notes(1)));
        expect(told.size).toBe(0);
        expect(storage.backlogBytes).toBeGreaterThan(0);
        await storage.flush();
        expect(told.get(log.sessionId)).toBe(1);
        expect(storage.backlogBytes).toBe(0);
      });

      test("what is told durable can be read at that moment", async () => {
        const checks: Promise<void>[] = [];
        let batches = 0;
        storage.onDurable((sessionId, count) => {
          batches += count;
          const expected = batches * 10;
          checks.push(
            storage.readAfter(sessionId, 0, ALL).then((events) => {
              expect(events.length).toBeGreaterThanOrEqual(expected);
            }),
          );
        });
        for (let n = 0; n < 50; n++) {
          storage.append(log.batch(log.notes(10)));
          if (n % 10 === 0) await storage.flush();
        }
        await storage.flush();
        await Promise.all(checks);
        expect(batches).toBe(50);
      });

      test("a listener that unsubscribed is told nothing", async () => {
        let told = 0;
        const stop = storage.onDurable(() => told++);
        stop();
        storage.append(log.batch(log.notes(1)));
        await storage.flush();
        expect(told).toBe(0);
      });

      test("a flush with nothing queued resolves", async () => {
        await storage.flush();
        expect(storage.healthy).toBe(true);
      });

      test("a batch of thousands of events, and thousands of batches", async () => {
        const other = await newLog();
        const { told } = watch();
        storage.append(log.batch(log.notes(5_000)));
        for (let n = 0; n < 3_000; n++) storage.append(other.batch(other.notes(1)));
        await storage.flush();
        expect(seqs(await stored())).toEqual(upTo(5_000));
        expect(seqs(await stored(other))).toEqual(upTo(3_000));
        expect(told.get(log.sessionId)).toBe(1);
        expect(told.get(other.sessionId)).toBe(3_000);
      });
    });

    describe("pages", () => {
      beforeEach(async () => {
        storage.append(log.batch(log.notes(120)));
        await storage.flush();
      });
      const below = async (beforeSeq: number, limit: number) =>
        seqs(await storage.readFromStorage(log.sessionId, { beforeSeq, limit }));

      test("the newest below a seq, oldest first", async () => {
        expect(await below(Number.POSITIVE_INFINITY, 50)).toEqual(upTo(120, 71));
        expect(await below(71, 50)).toEqual(upTo(70, 21));
        expect(await below(21, 50)).toEqual(upTo(20));
        expect(await below(1, 50)).toEqual([]);
        expect(await below(10, 0)).toEqual([]);
      });

      test("what follows a seq, at most so many", async () => {
        const after = async (seq: number, limit: number) =>
          seqs(await storage.readAfter(log.sessionId, seq, limit));
        expect(await after(0, 10)).toEqual(upTo(10));
        expect(await after(115, 10)).toEqual(upTo(120, 116));
        expect(await after(120, 10)).toEqual([]);
        expect(await after(5_000_000_000, 10)).toEqual([]);
      });

      test("a session nobody knows has no events", async () => {
        expect(await storage.readAfter(freshId(), 0, 10)).toEqual([]);
      });
    });

    describe("once only", () => {
      test("the same batch again, as after an unknown commit, is a success and changes nothing", async () => {
        const batches = [log.line(1), log.line(2), log.batch([log.queued(freshId()), log.ended()])];
        for (const batch of batches) storage.append(batch);
        await storage.flush();
        const before = await stored();
        storage = await harness.reopen();
        const { told, replaced } = watch();
        for (const batch of batches) storage.append(batch);
        storage.append(log.batch(log.notes(1)));
        await storage.flush();
        expect((await stored()).slice(0, before.length)).toEqual(before);
        expect(seqs(await stored())).toEqual(upTo(log.head));
        expect(told.get(log.sessionId)).toBe(4);
        expect(replaced).toEqual([]);
      });

      test("another event at a seq that is taken is never written, and others go on", async () => {
        const other = await newLog();
        storage.append(log.batch(log.notes(3)));
        await storage.flush();
        const before = await stored();
        storage = await harness.reopen();
        const { told } = watch();
        const doubled = new LogBuilder(log.sessionId, 2);
        storage.append(doubled.batch([doubled.note("not the third")]));
        storage.append(other.batch(other.notes(1)));
        await expect(storage.flush()).rejects.toThrow("stuck");
        await until(() => told.has(other.sessionId));
        expect(await stored()).toEqual(before);
        expect(told.has(log.sessionId)).toBe(false);
        expect(await stored(other)).toHaveLength(1);
      });

      test.each([
        ["an input", (one: LogBuilder) => one.queued("00000000-0000-4000-8000-0000000000aa")],
        ["an answer", (one: LogBuilder) => one.resolved("r1")],
        ["the end of a run", (one: LogBuilder) => one.ended()],
      ])("%s is in the log once: a second one becomes a notice", async (_, make) => {
        const { told, replaced } = watch();
        storage.append(log.batch([make(log)]));
        storage.append(log.batch([log.note("before"), make(log), log.note("after")]));
        await storage.flush();
        const events = await stored();
        expect(seqs(events)).toEqual([1, 2, 3, 4]);
        expect(events.map(poisoned)).toEqual([false, false, true, false]);
        expect(replaced).toEqual([events[2]]);
        expect(told.get(log.sessionId)).toBe(2);
      });

      test("a line's events are in the log once", async () => {
        storage.append(log.line(1));
        await storage.flush();
        storage.append(log.line(1));
        storage.append(log.line(2));
        await storage.flush();
        expect((await stored()).map(poisoned)).toEqual([false, true, false]);
        expect(await storage.readProgress(log.runId)).toMatchObject({ done: { line: 2 } });
      });

      test("inputs are one per session, answers one per run", async () => {
        const other = await newLog();
        const inputId = freshId();
        storage.append(
          log.batch([log.queued(inputId), log.resolved("r"), log.resolved("r", freshId())]),
        );
        storage.append(other.batch([other.queued(inputId), other.resolved("r")]));
        await storage.flush();
        expect((await stored()).some(poisoned)).toBe(false);
        expect((await stored(other)).some(poisoned)).toBe(false);
        expect(await storage.findInput(log.sessionId, inputId)).toBe(1);
        expect(await storage.findInput(log.sessionId, freshId())).toBeNull();
        expect(await storage.findResolution(log.sessionId, "r")).toBe(3);
        expect(await storage.findResolution(other.sessionId, "q")).toBeNull();
      });
    });

    describe("poison", () => {
      test.each([
        ["NUL", "a\0b"],
        ["a lone high surrogate", "a\ud83d"],
        ["a lone low surrogate", "\udc4db"],
      ])("an event with %s becomes a notice at its seq, its line is kept", async (_, text) => {
        const other = await newLog();
        const { told, replaced } = watch();
        const bytes = encodeUtf8("the line as it came");
        const events = [log.note("before"), log.note(text), log.note("after")];
        for (let n = 0; n < 20; n++) storage.append(other.batch(other.notes(2)));
        storage.append(
          log.batch(events, { raw: [log.raw(1, bytes)], memo: log.memo(initialState) }),
        );
        storage.append(log.batch(log.notes(2)));
        for (let n = 0; n < 20; n++) storage.append(other.batch(other.notes(2)));
        await storage.flush();
        const there = await stored();
        expect(seqs(there)).toEqual(upTo(5));
        expect(there.map(poisoned)).toEqual([false, true, false, false, false]);
        expect(there[1]).toMatchObject({ at: events[1]?.at, runId: log.runId });
        expect(replaced).toEqual([there[1]]);
        expect(sameBytes((await rawOf(storage, log.runId))[0]?.bytes, bytes)).toBe(true);
        expect((await stored(other)).some(poisoned)).toBe(false);
        expect(seqs(await stored(other))).toEqual(upTo(80));
        expect(told.get(log.sessionId)).toBe(2);
        expect(storage.healthy).toBe(true);
        // The memo is a fold of what is not in the log.
        expect(await storage.readMemo(log.sessionId)).toBeNull();
      });

      test("a key of an object may be poison too", async () => {
        storage.append(
          log.batch([
            log.event("notice", {
              kind: "unknown_line",
              level: "info",
              text: "",
              raw: { "k\0": 1 },
            }),
          ]),
        );
        await storage.flush();
        expect((await stored()).map(poisoned)).toEqual([true]);
      });

      test.each([
        ["that contains itself", () => circle()],
        ["nested too deep to be written", () => nest(20_000)],
        ["nested too deep to be stored", () => nest(4_000)],
      ])("an event %s is no worse", async (_, make) => {
        const other = await newLog();
        const raw = make();
        storage.append(
          log.batch([
            log.note("before"),
            log.event("notice", { kind: "unknown_line", level: "info", text: "", raw }),
          ]),
        );
        storage.append(other.batch(other.notes(1)));
        await storage.flush();
        expect(seqs(await stored())).toEqual([1, 2]);
        expect((await stored(other)).some(poisoned)).toBe(false);
      });

      test("a poisoned batch again, as after an unknown commit, stays as it is", async () => {
        const batch = log.batch([log.note("x\0"), log.note("y")]);
        storage.append(batch);
        await storage.flush();
        const before = await stored();
        storage = await harness.reopen();
        const { told, replaced } = watch();
        storage.append(batch);
        await storage.flush();
        expect(await stored()).toEqual(before);
        expect(told.get(log.sessionId)).toBe(1);
        expect(replaced).toEqual([before[0]]);
      });
    });
  });
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
}

function circle(): unknown {
  const ring: Record<string, unknown> = {};
  ring["ring"] = ring;
  return ring;
}

function nest(depth: number): unknown {
  let value: unknown = "end";
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}
