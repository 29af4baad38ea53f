/** The contract's part about what is kept with the events, and how it comes back. */
import { encodeUtf8, FOLD_VERSION, initialState } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventStorageAdapter } from "../event-storage.ts";
import { freshId, LogBuilder, noise } from "./log-builder.ts";
import { comparable, rawOf, sameBytes, upTo, type StorageHarness } from "./storage-stage.ts";

export function describeStoredData(open: () => Promise<StorageHarness>): void {
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

  describe("what is kept", () => {
    test("an event comes back as it was", async () => {
      const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner }), "end");
      const events = [
        log.event("stop:requested", { scope: "turn" }, { by: { userId: freshId(), via: "token" } }),
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
      expect(await storage.readAfter(log.sessionId, 0, 100)).toEqual(events);
    });

    test("events, raw lines, blobs, position and summary of a batch are there together", async () => {
      const blob = { id: "b1", mediaType: "image/png", bytes: noise(3_000) };
      const batch = { ...log.line(1), blobs: [blob] };
      storage.append(batch);
      await storage.flush();
      expect(await storage.readAfter(log.sessionId, 0, 100)).toEqual(batch.events);
      expect(await rawOf(storage, log.runId)).toEqual(batch.raw.map(comparable));
      expect(await storage.readProgress(log.runId)).toEqual(batch.progress);
      expect(await harness.readSummary(log.sessionId)).toEqual(batch.summary);
      const found = await storage.readBlob(log.sessionId, "b1");
      expect(found && { ...found, bytes: Uint8Array.from(found.bytes) }).toEqual(blob);
    });

    test("a batch without events is a batch too", async () => {
      let told = 0;
      storage.onDurable((_, batches) => {
        told += batches;
      });
      storage.append(log.batch([], { raw: [log.raw(1, encodeUtf8("only a line"))] }));
      await storage.flush();
      expect(await rawOf(storage, log.runId)).toHaveLength(1);
      expect(told).toBe(1);
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
      expect(await rawOf(storage, log.runId)).toEqual(expected.map(comparable));
    });

    test("the same line again is kept once", async () => {
      const raw = [log.raw(1, encodeUtf8("once"))];
      for (let n = 0; n < 3; n++) storage.append(log.batch([], { raw }));
      await storage.flush();
      expect(await rawOf(storage, log.runId)).toEqual(raw.map(comparable));
    });

    test("lines of 1.1 and of 8 MiB hold up nobody and lose nothing", async () => {
      const other = await newLog();
      const text = encodeUtf8(`{"x":"${"é👍 ".repeat(140_000)}"}`);
      const large = noise(8 * 1024 * 1024, 3);
      storage.append(log.batch(log.notes(1), { raw: [log.raw(1, text), log.raw(2, large)] }));
      storage.append(other.batch(other.notes(1)));
      await storage.flush();
      const [first, second] = await rawOf(storage, log.runId);
      expect(sameBytes(first?.bytes, text)).toBe(true);
      expect(sameBytes(second?.bytes, large)).toBe(true);
      expect(await storage.readAfter(other.sessionId, 0, 100)).toHaveLength(1);
    });

    test("many lines come back whole and in order", async () => {
      for (let n = 1; n <= 1_300; n++)
        storage.append(log.batch([], { raw: [log.raw(n, encodeUtf8(`line ${n}`))] }));
      await storage.flush();
      expect((await rawOf(storage, log.runId)).map((line) => line.line)).toEqual(upTo(1_300));
    });
  });
}
