/**
 * Changes of a text, line by line, each with its number in the old and in the new text. From the
 * CLI's own account where there is one: it knows where in the file they are.
 */
import { structuredPatch } from "diff";

export type DiffLine = {
  readonly kind: "same" | "removed" | "added" | "note";
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
};
export type DiffHunk = { readonly lines: readonly DiffLine[] };

const CONTEXT = 3;
/** Texts that differ in nearly everything are told apart no further than this. */
const TIMEOUT_MS = 30;

type Patch = {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
};

/** null: it is no such account. */
export function readPatch(value: unknown): readonly DiffHunk[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const isPatch = (item: unknown): item is Patch => {
    if (typeof item !== "object" || item === null) return false;
    const { oldStart, newStart, lines } = item as Readonly<Record<string, unknown>>;
    return (
      typeof oldStart === "number" &&
      typeof newStart === "number" &&
      Array.isArray(lines) &&
      lines.every((line) => typeof line === "string")
    );
  };
  return value.every(isPatch) ? value.map(numberLines) : null;
}

/** Numbers count from the beginning of the two texts. */
export function diffTexts(before: string, after: string): readonly DiffHunk[] {
  const patch = structuredPatch("", "", before, after, "", "", {
    context: CONTEXT,
    timeout: TIMEOUT_MS,
  });
  // The two are pieces of a file: how they end says nothing about how it ends.
  if (patch !== undefined)
    return patch.hunks.map((hunk) =>
      numberLines({ ...hunk, lines: hunk.lines.filter((line) => !line.startsWith("\\")) }),
    );
  const lines = [
    ...linesOf(before).map((line) => `-${line}`),
    ...linesOf(after).map((line) => `+${line}`),
  ];
  return [numberLines({ oldStart: 1, newStart: 1, lines })];
}

/** A whole new text. */
export function addedText(text: string): readonly DiffHunk[] {
  const lines = linesOf(text).map((line) => `+${line}`);
  return lines.length === 0 ? [] : [numberLines({ oldStart: 0, newStart: 1, lines })];
}

export function countChanges(hunks: readonly DiffHunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.kind === "added").length,
    removed: lines.filter((line) => line.kind === "removed").length,
  };
}

const linesOf = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\n$/, "").split("\n");

function numberLines({ oldStart, newStart, lines }: Patch): DiffHunk {
  let before = oldStart;
  let after = newStart;
  return {
    lines: lines.map((line): DiffLine => {
      const text = line.slice(1);
      switch (line[0]) {
        case "-":
          return { kind: "removed", text, before: before++, after: null };
        case "+":
          return { kind: "added", text, before: null, after: after++ };
        case "\\":
          return { kind: "note", text: text.trim(), before: null, after: null };
        default:
          return { kind: "same", text, before: before++, after: after++ };
      }
    }),
  };
}
