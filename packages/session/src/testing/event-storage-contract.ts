/**
 * What every implementation of the storage port must do. Registered once for each: Postgres and
 * its twin in memory. Faults that only Postgres has are tested beside it.
 */
import {
  encodeUtf8,
  FOLD_VERSION,
  initialState,
  type SessionEvent,
  type SessionId,
  type SessionSummary,
} from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventStorageAdapter, RawLine } from "../event-storage.ts";
import { freshId, LogBuilder, noise } from "./log-builder.ts";

export type StorageHarness = {
  readonly storage: EventStorageAdapter;
  /** A session the store knows of, so that it keeps its summary. */
  createSession(): Promise<SessionId>;
  readSummary(sessionId: SessionId): Promise<SessionSummary | null>;
  /** As if the stored memo were of that version of the fold. */
  setMemoVersion(sessionId: SessionId, version: number): Promise<void>;
  /** The process ends, another begins: what it finds. */
  reopen(): Promise<EventStorageAdapter>;
  close(): Promise<void>;
};

const ALL = 1_000_000;

export function describeEventStorage(name: string, open: () => Promise<StorageHarness>): void {
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
    const seqs = (events: readonly SessionEvent[]) => events.map((event) => event.seq);
    const upTo = (last: number, first = 1) =>
      Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const stored = (of: LogBuilder = log) => storage.readAfter(of.sessionId, 0, ALL);
    const rawOf = async (of: LogBuilder = log) => {
      const lines: RawLine[] = [];
      for await (const line of storage.readRaw(of.runId)) lines.push(line);
      return lines;
    };
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

    describe("what is kept", () => {
      test("an event comes back as it was", async () => {
        const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner }), "end");
        const events = [
          log.event(
            "stop:requested",
            { scope: "turn" },
            { by: { userId: freshId(), via: "token" } },
          ),
          log.event(
            "run:end",
            { reason: "runner_lost", code: null, signal: "SIGKILL", message: "gone" },
            { inferred: true, source: "recovery" },
          ),
          log.event(
            "notice",
            {
              kind: "unknown_line",
              level: "warning",
              text: 'quotes " \\ \\u0000 \\n, newline \n, \u2028, emoji 👩‍💻, \u0001, {}, NULL, ',
              raw: { deep, "": [null, true, -1.5, 1e21, "", "null"], "a\nb": { c: {} } },
            },
            { sanitised: true, runId: null },
          ),
        ];
        storage.append(log.batch(events));
        await storage.flush();
        expect(await stored()).toEqual(events);
      });

      test("events, raw lines, blobs, position and summary of a batch are there together", async () => {
        const blob = { id: "b1", mediaType: "image/png", bytes: noise(3_000) };
        const batch = { ...log.line(1), blobs: [blob] };
        storage.append(batch);
        await storage.flush();
        expect(await stored()).toEqual(batch.events);
        expect(await rawOf()).toEqual(batch.raw.map(comparable));
        expect(await storage.readProgress(log.runId)).toEqual(batch.progress);
        expect(await harness.readSummary(log.sessionId)).toEqual(batch.summary);
        const found = await storage.readBlob(log.sessionId, "b1");
        expect(found && { ...found, bytes: Uint8Array.from(found.bytes) }).toEqual(blob);
      });

      test("a batch without events is a batch too", async () => {
        const { told } = watch();
        storage.append(log.batch([], { raw: [log.raw(1, encodeUtf8("only a line"))] }));
        await storage.flush();
        expect(await rawOf()).toHaveLength(1);
        expect(told.get(log.sessionId)).toBe(1);
      });

      test("the newest summary is kept, whatever its words", async () => {
        const title = 'a\nb "c" \\ \u2028 👋 ${x}';
        for (const needsMe of [1, 2, 3])
          storage.append(log.batch(log.notes(1), { summary: log.summary({ needsMe, title }) }));
        await storage.flush();
        const summary = await harness.readSummary(log.sessionId);
        expect(summary).toEqual(log.summary({ needsMe: 3, title }));
      });

      test("a position never goes back", async () => {
        const [first, second] = [log.line(1), log.line(2)];
        for (const batch of [first, second]) storage.append(batch);
        storage.append(log.batch([], { progress: first.progress }));
        await storage.flush();
        expect(await storage.readProgress(log.runId)).toEqual(second.progress);
        expect(await storage.readProgress(freshId())).toBeNull();
      });

      test("a blob belongs to its session", async () => {
        const other = await newLog();
        const blob = { id: "b", mediaType: "text/plain", bytes: encodeUtf8("line\nline\0") };
        storage.append(log.batch([], { blobs: [blob] }));
        storage.append(log.batch([], { blobs: [blob] }));
        await storage.flush();
        const found = await storage.readBlob(log.sessionId, "b");
        expect(found && [...found.bytes]).toEqual([...blob.bytes]);
        expect(await storage.readBlob(other.sessionId, "b")).toBeNull();
      });

      test("the newest memo is kept, and not used by another version of the fold", async () => {
        expect(await storage.readMemo(log.sessionId)).toBeNull();
        const memos = [1, 2].map(() => {
          const events = log.notes(3);
          const memo = log.memo(initialState);
          storage.append(log.batch(events, { memo }));
          return memo;
        });
        await storage.flush();
        expect(await storage.readMemo(log.sessionId)).toEqual(memos[1]);
        await harness.setMemoVersion(log.sessionId, FOLD_VERSION + 1);
        expect(await storage.readMemo(log.sessionId)).toBeNull();
      });
    });

    describe("raw lines", () => {
      test("every byte of both directions, by time", async () => {
        const bytes = [noise(2_000, 7), new Uint8Array(0), encodeUtf8("a\nb\0c"), noise(1, 9)];
        const raw = [
          log.raw(1, bytes[0]!, "out", 10),
          log.raw(1, bytes[1]!, "in", 5),
          log.raw(2, bytes[2]!, "in", 20),
          log.raw(1, bytes[3]!, "err", 15),
          log.raw(2, encodeUtf8('{"type":"x"}'), "out", 30),
        ];
        storage.append(log.batch([], { raw }));
        await storage.flush();
        const expected = [raw[1]!, raw[0]!, raw[3]!, raw[2]!, raw[4]!];
        expect(await rawOf()).toEqual(expected.map(comparable));
      });

      test("the same line again is kept once", async () => {
        const raw = [log.raw(1, encodeUtf8("once"))];
        for (let n = 0; n < 3; n++) storage.append(log.batch([], { raw }));
        await storage.flush();
        expect(await rawOf()).toEqual(raw.map(comparable));
      });

      test("lines of 1.1 and of 8 MiB hold up nobody and lose nothing", async () => {
        const other = await newLog();
        const text = encodeUtf8(`{"x":"${"é👍 ".repeat(140_000)}"}`);
        const large = noise(8 * 1024 * 1024, 3);
        storage.append(log.batch(log.notes(1), { raw: [log.raw(1, text), log.raw(2, large)] }));
        storage.append(other.batch(other.notes(1)));
        await storage.flush();
        const [first, second] = await rawOf();
        expect(sameBytes(first?.bytes, text)).toBe(true);
        expect(sameBytes(second?.bytes, large)).toBe(true);
        expect(await stored(other)).toHaveLength(1);
      });

      test("many lines come back whole and in order", async () => {
        for (let n = 1; n <= 1_300; n++)
          storage.append(log.batch([], { raw: [log.raw(n, encodeUtf8(`line ${n}`))] }));
        await storage.flush();
        expect((await rawOf()).map((line) => line.line)).toEqual(upTo(1_300));
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
        expect(sameBytes((await rawOf())[0]?.bytes, bytes)).toBe(true);
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

const poisoned = (event: SessionEvent) => event.type === "notice" && event.data.kind === "poison";

/** Without regard for which kind of byte array it is. */
const comparable = (line: RawLine) => ({
  ...line,
  bytes: expect.toSatisfy((bytes: Uint8Array) => sameBytes(bytes, line.bytes)) as Uint8Array,
});

function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && a.length === b.length && b.every((byte, n) => a[n] === byte);
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
}
