/** Cutting text without cutting a character in two. */
import type { Text } from "./event.ts";

/** At most `limit` UTF-16 units from the start, never ending inside a surrogate pair. */
export function clipStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/** At most `limit` UTF-16 units from the end, never beginning inside a surrogate pair. */
export function clipEnd(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - limit;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first < 0xe000 ? start + 1 : start);
}

/** What a reader sees of a text at once: all of it, or the head of what was moved to a blob. */
export const headOf = (text: Text): string => (typeof text === "string" ? text : text.$blob.head);
