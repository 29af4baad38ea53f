/** Reading what a tool was given and gave: any of it may be missing, long, or something else. */
import { isBlobRef, type Text } from "@lodge/protocol";
import { previewText } from "../../../ui/blob-text.ts";
import type { ToolResult } from "../row.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): Text | null =>
  typeof value === "string" || isBlobRef(value) ? value : null;
export const stringOf = (value: unknown): string | null =>
  typeof value === "string" ? value : isBlobRef(value) ? previewText(value) : null;
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

/** A result that is text and nothing else; null: there are pictures or other blocks in it. */
export function textOfResult(result: ToolResult): Text | null {
  const { content } = result;
  if (!Array.isArray(content)) return content as Text;
  if (content.length !== 1) return null;
  const block = fieldsOf(content[0]);
  return block["type"] === "text" ? textOf(block["text"]) : null;
}

/** What the CLI wraps around what went wrong. */
export const withoutErrorTags = (text: string): string =>
  text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");

/** Fields of the input that a renderer does not show itself. */
export function restOf(input: Fields, shown: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !shown.includes(name) && value !== undefined),
  );
}
