/**
 * Markdown as tokens. Text that is still being written is read again only from its last block on:
 * what comes before can no longer change, and keeps its tokens and with them its elements.
 */
import { Lexer, type Token } from "marked";

/** Beyond this a text is no longer something to read, and reading it as Markdown would be felt. */
export const MAX_MARKDOWN_UNITS = 200_000;

export function lexMarkdown(text: string): readonly Token[] {
  if (text.length > MAX_MARKDOWN_UNITS) return plain(text);
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    // Nesting that no stack holds.
    return plain(text);
  }
}

const plain = (text: string): readonly Token[] => [
  { type: "text", raw: text, text, escaped: true },
];

/** Takes a text that only grows, whole, each time it has grown. */
export class GrowingMarkdown {
  #settled: readonly Token[] = [];
  #settledUnits = 0;
  #text = "";

  lex(text: string): readonly Token[] {
    if (!text.startsWith(this.#text.slice(0, this.#settledUnits))) {
      this.#settled = [];
      this.#settledUnits = 0;
    }
    this.#text = text;
    const fresh = lexMarkdown(text.slice(this.#settledUnits));
    const last = fresh.findLastIndex((token) => token.type !== "space");
    // Only before an empty line: the line under a paragraph may yet make it something else.
    const gap = fresh.findLastIndex((token, at) => at < last && token.type === "space");
    const settled = fresh.slice(0, gap + 1);
    const all = [...this.#settled, ...fresh];
    // Where the pieces do not add up to the text (tabs, line ends), nothing is called settled.
    const units = settled.reduce((sum, token) => sum + token.raw.length, 0);
    const raw = settled.map((token) => token.raw).join("");
    if (units > 0 && text.startsWith(raw, this.#settledUnits)) {
      this.#settled = [...this.#settled, ...settled];
      this.#settledUnits += units;
    }
    return all;
  }
}
