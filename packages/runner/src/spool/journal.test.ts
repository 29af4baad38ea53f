import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeInterrupt, encodeUserLine } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Journal } from "./journal.ts";

const line = (inputId: string, text = `text of ${inputId} 😀`): string =>
  encodeUserLine({ inputId, text, contentBlocks: [] });

describe("Journal", () => {
  let directory: string;
  let path: string;
  let journals: Journal[];

  const open = async (): Promise<Journal> => {
    const journal = await Journal.open(path);
    journals.push(journal);
    return journal;
  };
  const content = (): Promise<string> => readFile(path, "utf8");

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "lodge-journal-"));
    path = join(directory, "stdin");
    journals = [];
  });
  afterEach(async () => {
    for (const journal of journals) await journal.close();
    await rm(directory, { recursive: true, force: true });
  });

  it("appends whole lines, in order, and counts them", async () => {
    const journal = await open();
    const receipts = await Promise.all(["a", "b", "c"].map((id) => journal.append(line(id))));
    expect(receipts).toEqual([1, 2, 3].map((journalLine) => ({ journalLine, duplicate: false })));
    expect(await content()).toBe(`${line("a")}\n${line("b")}\n${line("c")}\n`);
  });

  it("writes a key once, also when it comes twice at the same time", async () => {
    const journal = await open();
    const receipts = await Promise.all([journal.append(line("a")), journal.append(line("a"))]);
    expect(receipts.map(({ duplicate }) => duplicate)).toEqual([false, true]);
    expect((await journal.append(line("a", "other words"))).duplicate).toBe(true);
    expect(await content()).toBe(`${line("a")}\n`);
  });

  it("writes lines without a key every time", async () => {
    const journal = await open();
    await journal.append('{"type":"keep_alive"}');
    await journal.append('{"type":"keep_alive"}');
    expect(await content()).toBe('{"type":"keep_alive"}\n{"type":"keep_alive"}\n');
  });

  it("knows what an earlier writer wrote", async () => {
    await appendFile(path, `${line("a")}\n${encodeInterrupt("stop-1")}\n`);
    const journal = await open();
    expect(await journal.append(encodeInterrupt("stop-1"))).toEqual({
      journalLine: 2,
      duplicate: true,
    });
    expect(await journal.append(line("b"))).toEqual({ journalLine: 3, duplicate: false });
  });

  it("completes a half line byte for byte when the same line comes again, wherever it was cut", async () => {
    const whole = Buffer.from(`${line("b")}\n`);
    for (let cut = 1; cut < whole.byteLength; cut++) {
      await rm(path, { force: true });
      await appendFile(path, `${line("a")}\n`);
      await appendFile(path, whole.subarray(0, cut));
      const journal = await open();
      expect(journal.find("user:b")).toBeNull();
      expect(await journal.append(line("b"))).toEqual({ journalLine: 2, duplicate: false });
      expect(await content()).toBe(`${line("a")}\n${line("b")}\n`);
      await journals.pop()?.close();
    }
  });

  it("makes a half line harmless when another line comes, and writes its own again later", async () => {
    const whole = Buffer.from(line("a"));
    // Up to here the two lines begin alike: the other line itself completes the half.
    const alike = '{"type":"'.length;
    for (let cut = alike + 1; cut < whole.byteLength; cut++) {
      await rm(path, { force: true });
      await appendFile(path, whole.subarray(0, cut));
      const journal = await open();
      await journal.append(encodeInterrupt("stop-1"));
      expect((await journal.append(line("a"))).duplicate).toBe(false);
      const [first, ...rest] = (await content()).split("\n");
      expect(JSON.parse(first ?? "")).toMatchObject({ type: "keep_alive" });
      expect(rest).toEqual([encodeInterrupt("stop-1"), line("a"), ""]);
      await journals.pop()?.close();
    }
  });

  it("takes a line that lacks only its newline for delivered: it cannot be taken back", async () => {
    await appendFile(path, line("a"));
    const journal = await open();
    await journal.append(encodeInterrupt("stop-1"));
    expect(await content()).toBe(`${line("a")}\n${encodeInterrupt("stop-1")}\n`);
    expect(await journal.append(line("a"))).toEqual({ journalLine: 1, duplicate: true });
  });

  it("refuses a line with a newline in it", async () => {
    const journal = await open();
    await expect(journal.append("a\nb")).rejects.toThrow(TypeError);
    expect(await content()).toBe("");
  });

  it("reads back megabytes of lines", async () => {
    const long = line("long", "é".repeat(3_000_000));
    await appendFile(path, `${long}\n${line("a")}\n`);
    const journal = await open();
    expect(journal.find("user:long")).toBe(1);
    expect(journal.find("user:a")).toBe(2);
  });
});
