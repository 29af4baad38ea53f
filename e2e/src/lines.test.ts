/** Large, odd and broken lines, from the process to the viewer: nothing lost, nothing garbled. */
import { copyFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOUBLE_CLAUDE } from "@lodge/runner/testing";
import type { BlobRef, SessionEvent } from "@lodge/protocol";
import { isType, seqsOf, textOf, type Browser } from "./browser.ts";
import { House } from "./house.ts";

let house: House;
let browser: Browser;
beforeAll(async () => {
  house = await House.start();
  browser = await house.signIn();
});
afterAll(() => house[Symbol.asyncDispose]());

describe("the real CLI", () => {
  it("[F3] a tool input of 1.1 MB is whole: its head in the event, all of it as a blob", async () => {
    const input = `{"file_path":"{{cwd}}/big.txt","content":"{{pad:1100}}"}`;
    const id = await browser.session({
      permissionMode: "acceptEdits",
      prompt: `@tool Write ${input}\n@then\n@text Written.`,
    });
    const all = await browser.until(id, 0, isType("turn:end"));
    const use = all
      .flatMap((event) => (event.type === "content" ? event.data.blocks : []))
      .find((block) => block.type === "tool_use");
    const content = (use?.type === "tool_use" ? use.input["content"] : null) as BlobRef;
    expect(content.$blob.size).toBeGreaterThan(1_100 * 1024);
    const blob = await browser.get(`/api/sessions/${id}/blobs/${content.$blob.id}`);
    expect(blob.body).toHaveLength(content.$blob.size);
    expect(blob.body.startsWith(content.$blob.head)).toBe(true);
    for (const event of all) expect(JSON.stringify(event).length).toBeLessThanOrEqual(256 * 1024);
  });

  it("[F1] emoji, NUL and lone surrogates in what a person writes reach the model and come back", async () => {
    const text = "Family 👩‍👩‍👧‍👦, flag 🏳️‍🌈, ﷽, \u202eright to left\u202c.";
    const id = await browser.session({ prompt: `@text ${text}` });
    expect(textOf(await browser.until(id, 0, isType("turn:end")))).toBe(text);
    const odd = await browser.post(`/api/sessions/${id}/send`, {
      input: "@text nul \u0000 and half \ud83d here",
    });
    expect(odd.status).toBe(202);
    const all = await browser.until(
      id,
      0,
      (event) => event.type === "turn:end" && event.seq > odd.body.seq,
    );
    expect(all.find((event) => event.seq === odd.body.seq)).toMatchObject({
      type: "input:queued",
      sanitised: true,
    });
    expect(seqsOf(all)).toEqual(all.map((_, index) => index + 1));
  });
});

describe("a double of the CLI", () => {
  let odd: House;
  let viewer: Browser;
  beforeAll(async () => {
    odd = await House.start({ env: { LODGE_CLAUDE_BIN: await placedDouble(house.dir) } });
    viewer = await odd.signIn();
  });
  afterAll(() => odd[Symbol.asyncDispose]());

  const noticesOf = (events: readonly SessionEvent[], kind: string) =>
    events.filter((event) => event.type === "notice" && event.data.kind === kind);

  it("[F3] a line of 8 MiB is kept whole, and a neighbour is not held up by it", async () => {
    const [big, small] = await Promise.all([
      viewer.session({ prompt: `!huge ${8 * 1024 * 1024}` }),
      viewer.session({ prompt: "hello" }),
    ]);
    const quick = await viewer.until(small, 0, isType("turn:end"));
    expect(textOf(quick)).toContain("hello");
    const all = await viewer.until(big, 0, isType("turn:end"));
    const moved = all
      .flatMap((event) => (event.type === "content" ? event.data.blocks : []))
      .find((block) => block.type === "text" && typeof block.text === "object");
    const ref = ((moved?.type === "text" ? moved.text : null) as BlobRef).$blob;
    expect(ref.size).toBeGreaterThanOrEqual(8 * 1024 * 1024 - 1024);
    expect((await viewer.get(`/api/sessions/${big}/blobs/${ref.id}`)).body).toHaveLength(ref.size);
  });

  it("[N3] [N5] lines that are no JSON, not UTF-8 or unknown are kept, and the stream goes on", async () => {
    const id = await viewer.session({
      prompt: '!line not json\n!bytes 7b22c328227d\n!line {"type":"brand_new","n":1}\n!line [1]',
    });
    const all = await viewer.until(id, 0, isType("turn:end"));
    expect(noticesOf(all, "bad_line").length).toBeGreaterThanOrEqual(2);
    expect(noticesOf(all, "unknown_line").length).toBeGreaterThanOrEqual(1);
    expect(seqsOf(all)).toEqual(all.map((_, index) => index + 1));
  });
});

async function placedDouble(dir: string): Promise<string> {
  const path = join(dir, "claude-double.mjs");
  await copyFile(DOUBLE_CLAUDE, path);
  await chmod(path, 0o755);
  return path;
}
