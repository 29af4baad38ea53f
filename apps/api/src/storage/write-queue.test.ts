import { expect, test } from "vitest";
import { WriteQueue } from "./write-queue.ts";

type Item = { batch: { sessionId: string }; events: number[]; bytes: number; name: string };

const item = (sessionId: string, n: number, { rows = 1, bytes = 1 } = {}): Item => ({
  batch: { sessionId },
  events: Array.from<number>({ length: rows }).fill(0),
  bytes,
  name: `${sessionId}${n}`,
});
const names = (items: readonly Item[]) => items.map(({ name }) => name);
const ROOMY = { rows: 100, bytes: 100 };

test("sessions are taken in turns, each in its own order", () => {
  const queue = new WriteQueue<Item>();
  for (const n of [1, 2, 3, 4]) queue.push(item("a", n));
  for (const n of [1, 2]) queue.push(item("b", n));
  queue.push(item("c", 1));
  expect(names(queue.take({ rows: 4, bytes: 100 }))).toEqual(["a1", "b1", "c1", "a2"]);
  expect(names(queue.take(ROOMY))).toEqual(["b2", "a3", "a4"]);
  expect(queue.take(ROOMY)).toEqual([]);
});

test("whole batches only: one that does not fit comes first next time, one that never fits goes alone", () => {
  const queue = new WriteQueue<Item>();
  queue.push(item("a", 1, { rows: 60 }));
  queue.push(item("b", 1, { rows: 60 }));
  queue.push(item("c", 1, { rows: 500 }));
  expect(names(queue.take(ROOMY))).toEqual(["a1"]);
  expect(names(queue.take(ROOMY))).toEqual(["b1"]);
  expect(names(queue.take(ROOMY))).toEqual(["c1"]);
});

test("bytes count as well as rows, and a batch without events counts for a row", () => {
  const queue = new WriteQueue<Item>();
  for (const n of [1, 2, 3]) queue.push(item("a", n, { bytes: 40 }));
  expect([queue.bytes, queue.fills(ROOMY), queue.fills({ rows: 4, bytes: 1_000 })]).toEqual([
    120,
    true,
    false,
  ]);
  expect(names(queue.take(ROOMY))).toEqual(["a1", "a2"]);
  for (const n of [4, 5]) queue.push(item("a", n, { rows: 0 }));
  expect(names(queue.take({ rows: 2, bytes: 1_000 }))).toEqual(["a3", "a4"]);
});

test("a long lane is let go of as it is taken, and keeps its order", () => {
  const queue = new WriteQueue<Item>();
  const taken: string[] = [];
  for (let n = 0; n < 5_000; n++) {
    queue.push(item("a", n));
    if (n % 3 === 0) taken.push(...names(queue.take({ rows: 2, bytes: 100 })));
  }
  for (let more = queue.take(ROOMY); more.length > 0; more = queue.take(ROOMY))
    taken.push(...names(more));
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, n) => `a${n}`));
  expect(queue.bytes).toBe(0);
});

test("what waits of one session can be taken out", () => {
  const queue = new WriteQueue<Item>();
  for (const n of [1, 2]) for (const session of ["a", "b"]) queue.push(item(session, n));
  queue.take({ rows: 1, bytes: 100 });
  expect(names(queue.drop("a"))).toEqual(["a2"]);
  expect(names(queue.drop("unknown"))).toEqual([]);
  expect(names(queue.take(ROOMY))).toEqual(["b1", "b2"]);
});
