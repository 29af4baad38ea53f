/** How much of a long text is shown before one asks for more. */
export type FoldedText = {
  readonly head: string;
  readonly hiddenLines: number;
  readonly tail: string;
};

export const FOLD_LINES = 24;
const HEAD_LINES = 14;
const TAIL_LINES = 6;
/** Few lines, but long ones. */
export const FOLD_UNITS = 6_000;

/** null: it is short enough to be shown whole. */
export function foldLines(text: string): FoldedText | null {
  const lines = text.split("\n");
  const isLong = text.length > FOLD_UNITS;
  if (lines.length <= FOLD_LINES && !isLong) return null;
  const [headLines, tailLines] =
    lines.length > FOLD_LINES ? [HEAD_LINES, TAIL_LINES] : [lines.length, 0];
  return {
    head: clip(lines.slice(0, headLines).join("\n"), FOLD_UNITS / 2),
    hiddenLines: lines.length - headLines - tailLines,
    tail: tailLines === 0 ? "" : clipStart(lines.slice(-tailLines).join("\n"), FOLD_UNITS / 4),
  };
}

/** Never in the middle of a character. */
const clip = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, units).replace(/[\ud800-\udbff]$/, "");
const clipStart = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(-units).replace(/^[\udc00-\udfff]/, "");

/** Pieces that a page can lay out without being felt, cut at line ends where there are any. */
export function cutPages(text: string, units: number): readonly string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length;) {
    let until = Math.min(text.length, from + units);
    if (until < text.length) {
      const lineEnd = text.lastIndexOf("\n", until);
      if (lineEnd > from) until = lineEnd + 1;
      else if (/[\ud800-\udbff]/.test(text[until - 1] ?? "")) until -= 1;
    }
    pages.push(text.slice(from, until));
    from = until;
  }
  return pages;
}
