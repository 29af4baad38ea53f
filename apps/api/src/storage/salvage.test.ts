import { LogBuilder } from "@lodge/session/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeBatch, type EncodedBatch } from "./encoded-batch.ts";
import { salvage } from "./salvage.ts";

const RUN = "00000000-0000-4000-8000-0000000000ff";

function batchOf(events: number, raw: number) {
  const log = new LogBuilder("00000000-0000-4000-8000-000000000001", 0, RUN);
  const lines = Array.from({ length: raw }, (_, n) => log.raw(n + 1, new Uint8Array([n])));
  return encodeBatch(
    log.batch(log.notes(events), {
      raw: lines,
      progress: { runId: RUN, done: { line: 1, offset: 1 }, replay: { line: 1, offset: 1 } },
      summary: log.summary(),
    }),
  );
}

/** A database that refuses these events (by seq, unless they are notices of poison already) and lines. */
const refusing =
  (seqs: ReadonlySet<number>, lines: ReadonlySet<number>, seen: EncodedBatch[] = []) =>
  async (batch: EncodedBatch) => {
    seen.push(batch);
    const event = batch.events.find(
      ({ event: { seq }, data }) => seqs.has(seq) && !data.includes('"poison"'),
    );
    if (event) return `event ${event.event.seq}`;
    const line = batch.raw.find((raw) => lines.has(raw.line));
    return line ? `line ${line.line}` : null;
  };

test("exactly what is refused is replaced or left out, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 10 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
      fc.uniqueArray(fc.integer({ min: 1, max: 10 })),
      async (events, raw, badSeqs, badLines) => {
        const given = batchOf(events, raw);
        const outcome = await salvage(given, refusing(new Set(badSeqs), new Set(badLines)));
        if (outcome.kind !== "saved") throw new Error("stuck");
        const { batch, lost } = outcome;
        const refused = badSeqs.filter((seq) => seq <= events).toSorted((a, b) => a - b);
        expect(batch.events.map(({ event }) => event.seq)).toEqual(
          given.events.map(({ event }) => event.seq),
        );
        expect(batch.replaced.map(({ seq }) => seq)).toEqual(refused);
        expect(batch.events.filter(({ data }) => data.includes('"poison"'))).toHaveLength(
          refused.length,
        );
        expect(batch.raw).toEqual(given.raw.filter(({ line }) => !badLines.includes(line)));
        expect([batch.progress, batch.summary]).toEqual([given.progress, given.summary]);
        expect(lost).toHaveLength(refused.length + given.raw.length - batch.raw.length);
      },
    ),
  );
});

test("one bad event of a thousand is found in a few rehearsals", async () => {
  const seen: EncodedBatch[] = [];
  await salvage(batchOf(1_000, 0), refusing(new Set([777]), new Set(), seen));
  expect(seen.length).toBeLessThan(16);
});

test("a batch that is refused whatever it holds is stuck", async () => {
  const outcome = await salvage(batchOf(3, 1), async () => "no such session");
  expect(outcome).toEqual({ kind: "stuck", reason: "no such session" });
});

test("a database that changes its mind is not asked for ever", async () => {
  let asked = 0;
  const outcome = await salvage(batchOf(2, 0), async () => (asked++ === 0 ? null : "no"));
  expect(outcome.kind).toBe("stuck");
  expect(asked).toBeLessThan(50);
});
