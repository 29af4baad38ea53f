import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const split = (chunks: readonly Uint8Array[], splitter = new LineSplitter()) =>
  chunks.flatMap((chunk) => splitter.push(chunk));
const texts = (lines: readonly { bytes: Uint8Array }[]) =>
  lines.map((line) => decodeUtf8(line.bytes));

describe("splitting lines", () => {
  it("[W2] any bytes, cut anywhere into chunks, give the same lines and offsets", () => {
    const bytes = fc
      .uint8Array({ maxLength: 200 })
      .map((all) => all.map((byte) => (byte % 5 === 0 ? 0x0a : byte)));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(200), { maxLength: 8 }), (all, cuts) => {
        const at = [
          0,
          ...cuts.map((cut) => Math.min(cut, all.length)).toSorted((a, b) => a - b),
          all.length,
        ];
        const chunks = at.slice(1).map((end, i) => all.slice(at[i], end));
        const splitter = new LineSplitter();
        const lines = split(chunks, splitter);
        const last = splitter.end();
        expect(lines.map((line) => [...line.bytes])).toEqual(
          split([all]).map((line) => [...line.bytes]),
        );
        const whole = [...lines.flatMap((line) => [...line.bytes, 0x0a]), ...(last?.bytes ?? [])];
        expect(whole).toEqual([...all]);
        expect(last?.offset ?? splitter.offset).toBe(all.length);
      }),
    );
  });

  it("[W2] splits on the newline byte only, and never inside a character", () => {
    const text = '{"a":"\u2028 \u2029 \r 😀"}';
    const all = encodeUtf8(`${text}\n${text}\n`);
    const chunks = Array.from(all, (_, i) => all.subarray(i, i + 1));
    expect(texts(split(chunks))).toEqual([text, text]);
  });

  it("[W2] shows what it holds, and gives it up at the end", () => {
    const splitter = new LineSplitter(100);
    expect(splitter.push(encodeUtf8("one\ntw"))).toMatchObject([{ offset: 104 }]);
    expect([splitter.held, splitter.offset, decodeUtf8(splitter.remainder())]).toEqual([
      2,
      104,
      "tw",
    ]);
    splitter.push(encodeUtf8("o"));
    expect(splitter.end()).toMatchObject({ offset: 107 });
    expect([splitter.held, splitter.end()]).toEqual([0, null]);
  });

  it("[W2] a line of 64 MiB in chunks of 64 KiB takes no time to speak of", () => {
    const splitter = new LineSplitter();
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    for (let i = 0; i < 1024; i++) splitter.push(chunk);
    const [line] = splitter.push(encodeUtf8("\n"));
    expect(line?.bytes.byteLength).toBe(64 * 1024 * 1024);
  });
});
