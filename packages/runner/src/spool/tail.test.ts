import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { START, type Position, type ProcessLine } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tailLines, type TailOptions } from "./tail.ts";
import { Wakeup } from "./wakeup.ts";

describe("tailLines", () => {
  let directory: string;
  let path: string;
  let news: Wakeup;
  let state: { isOver: boolean; isStopped: boolean };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "lodge-tail-"));
    path = join(directory, "stdout");
    await writeFile(path, "");
    news = new Wakeup();
    state = { isOver: false, isStopped: false };
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const tail = (from: Position = START, changes: Partial<TailOptions> = {}) =>
    tailLines({
      path,
      from,
      news,
      isOver: () => state.isOver,
      isStopped: () => state.isStopped,
      now: () => 42,
      ...changes,
    });
  const append = async (bytes: string | Buffer): Promise<void> => {
    await appendFile(path, bytes);
    news.wake();
  };
  const finish = (): void => {
    state.isOver = true;
    news.wake();
  };
  const readAll = async (lines: AsyncIterable<ProcessLine>): Promise<ProcessLine[]> => {
    const all: ProcessLine[] = [];
    for await (const line of lines) all.push(line);
    return all;
  };

  it("numbers lines and gives the offset after each, whatever the bytes", async () => {
    const lines = [
      Buffer.from("one"),
      Buffer.from("ünï 😀"),
      Buffer.alloc(0),
      Buffer.from("a\u0000b"),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from("lone \r is no end, nor is \u2028"),
    ];
    for (const line of lines) await append(Buffer.concat([line, Buffer.from("\n")]));
    finish();
    let offset = 0;
    const expected = lines.map((bytes, index) => {
      offset += bytes.byteLength + 1;
      return { line: index + 1, offset, at: 42, bytes };
    });
    expect(await readAll(tail())).toEqual(expected);
  });

  it("does not mind where the bytes are cut", async () => {
    const text = "one 😀 two\n漢字 é\n\n{}\n";
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.byteLength; cut++) {
      await writeFile(path, bytes.subarray(0, cut));
      state.isOver = false;
      const lines = tail();
      const reading = readAll(lines);
      await append(bytes.subarray(cut));
      finish();
      const texts = (await reading).map((line) => Buffer.from(line.bytes).toString());
      expect(texts).toEqual(text.split("\n").slice(0, -1));
    }
  });

  it("goes on from any line", async () => {
    await append("a\nbb\nccc\n");
    finish();
    const all = await readAll(tail());
    for (const [index, { line, offset }] of all.entries()) {
      expect(await readAll(tail({ line, offset }))).toEqual(all.slice(index + 1));
    }
  });

  it("waits for the end of a line, and yields one without it only when its writer is gone", async () => {
    await append("half");
    const lines = tail();
    const next = lines.next();
    await append(" and half\nlast");
    expect(Buffer.from((await next).value?.bytes ?? []).toString()).toBe("half and half");
    const last = lines.next();
    finish();
    expect((await last).value).toMatchObject({ line: 2, offset: 18, cut: true });
    expect((await lines.next()).done).toBe(true);
  });

  it("reads a line of 8 MiB in time that grows with its length, not with its square", async () => {
    const long = Buffer.alloc(8 * 1024 * 1024, "x");
    await append(Buffer.concat([long, Buffer.from("\nnext\n")]));
    finish();
    const started = performance.now();
    const [first, second] = await readAll(tail());
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(Buffer.compare(first?.bytes ?? Buffer.alloc(0), long)).toBe(0);
    expect(second).toMatchObject({ line: 2, offset: long.byteLength + 6 });
  });

  it("keeps only the head of a line beyond all measure, and where it ends", async () => {
    await append(`${"x".repeat(300_000)}\nnext\n`);
    finish();
    const [first, second] = await readAll(tail(START, { maxLineBytes: 1_000 }));
    expect(first).toMatchObject({ line: 1, offset: 300_001 });
    expect(first?.bytes.byteLength).toBe(1_000);
    expect(Buffer.from(second?.bytes ?? []).toString()).toBe("next");
  });

  it("reads no further than its consumer asks", async () => {
    await append(Buffer.alloc(10 * 1024 * 1024, "0123456789abcde\n"));
    const lines = tail();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1_000; i++) await lines.next();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 1024 * 1024);
    await lines.return();
  });

  it("ends when its reader lost interest, also while it waits", async () => {
    const lines = tail();
    const next = lines.next();
    state.isStopped = true;
    news.wake();
    expect((await next).done).toBe(true);
  });
});
