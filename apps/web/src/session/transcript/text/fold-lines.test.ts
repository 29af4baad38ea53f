import fc from "fast-check";
import { expect, test } from "vitest";
import { cutPages, foldLines, FOLD_LINES, FOLD_UNITS } from "./fold-lines.ts";

/** Half a character. */
const HALF = /\p{Surrogate}/u;

test("short texts are whole", () => {
  expect(foldLines(Array.from({ length: FOLD_LINES }, () => "x").join("\n"))).toBeNull();
});

test("of many lines the first and the last are shown, and how many are between", () => {
  const text = Array.from({ length: 100 }, (_, n) => String(n)).join("\n");
  const folded = foldLines(text);
  const shown = `${folded?.head}\n${folded?.tail}`.split("\n");
  expect(shown.length + (folded?.hiddenLines ?? 0)).toBe(100);
  expect(shown[0]).toBe("0");
  expect(shown.at(-1)).toBe("99");
});

test("one endless line is cut too, and never inside a character", () => {
  const folded = foldLines(`x${"😀".repeat(FOLD_UNITS)}`);
  expect(folded?.hiddenLines).toBe(0);
  expect(folded?.head.length).toBeLessThan(FOLD_UNITS);
  expect(folded?.head).not.toMatch(HALF);
});

test("pages put together are the text, each within its size", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "😀", "שלום"), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 50 }), (whole, units) => {
      const pages = cutPages(whole, units);
      expect(pages.join("")).toBe(whole);
      expect(pages.every((page) => !HALF.test(page) && page.length <= units + 1)).toBe(true);
    }),
  );
});
