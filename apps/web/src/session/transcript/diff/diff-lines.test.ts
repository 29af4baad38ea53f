import { expect, test } from "vitest";
import { addedText, countChanges, diffTexts, readPatch } from "./diff-lines.ts";

const lines = (hunks: ReturnType<typeof diffTexts>) =>
  hunks.flatMap((hunk) =>
    hunk.lines.map((line) => `${line.before ?? ""}:${line.after ?? ""}:${line.kind}:${line.text}`),
  );

test("the CLI's own account is taken with the lines' numbers in the file", () => {
  const hunks = readPatch([
    {
      oldStart: 10,
      oldLines: 2,
      newStart: 11,
      newLines: 2,
      lines: [" a", "-b", "+c", "\\ No newline"],
    },
  ]);
  expect(lines(hunks ?? [])).toEqual([
    "10:11:same:a",
    "11::removed:b",
    ":12:added:c",
    "::note:No newline",
  ]);
  expect(countChanges(hunks ?? [])).toEqual({ added: 1, removed: 1 });
});

test.each([null, [], "x", [{ oldStart: 1 }], [{ oldStart: 1, newStart: 1, lines: [1] }]])(
  "%j is no account",
  (value) => {
    expect(readPatch(value)).toBeNull();
  },
);

test("two texts are told apart line by line, with some lines around", () => {
  expect(lines(diffTexts("a\nb\nc", "a\nB\nc"))).toEqual([
    "1:1:same:a",
    "2::removed:b",
    ":2:added:B",
    "3:3:same:c",
  ]);
  expect(diffTexts("same", "same")).toEqual([]);
});

test("texts with nothing in common do not take for ever", () => {
  const text = (seed: number) =>
    Array.from({ length: 6_000 }, (_, n) => String((n * seed) % 7919)).join("\n");
  const begun = performance.now();
  const { added, removed } = countChanges(diffTexts(text(31), text(37)));
  expect(added).toBe(removed);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("a new file is all added", () => {
  expect(lines(addedText("a\nb\n"))).toEqual([":1:added:a", ":2:added:b"]);
  expect(addedText("")).toEqual([]);
});
