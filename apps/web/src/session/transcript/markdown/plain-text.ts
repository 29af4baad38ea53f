/** What Markdown says, without its marks: for comparing, and for reading aloud. */
import type { Token, Tokens } from "marked";
import { decodeEntities } from "./decode-entities.ts";

export function plainTextOf(tokens: readonly Token[]): string {
  return tokens.map(textOf).join("");
}

function textOf(token: Token): string {
  switch (token.type) {
    case "space":
    case "br":
      return "\n";
    case "code":
    case "hr":
    case "def":
      return "";
    case "list":
      return (token as Tokens.List).items.map((item) => `${plainTextOf(item.tokens)}\n`).join("");
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .map((row) => `${row.map((cell) => plainTextOf(cell.tokens)).join(", ")}\n`)
        .join("");
    }
    default: {
      const inner = "tokens" in token ? token.tokens : undefined;
      if (inner !== undefined && inner.length > 0) return plainTextOf(inner);
      return "text" in token && typeof token.text === "string" ? decodeEntities(token.text) : "";
    }
  }
}
