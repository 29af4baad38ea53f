/**
 * A name for a session that nobody has named: the first words of its first message. [A14]
 */
import { clipStart } from "@lodge/protocol";

const MAX_UNITS = 80;

/** null: nothing that could be a name. */
export function titleFrom(text: string): string | null {
  for (const line of text.split("\n")) {
    // oxlint-disable-next-line no-control-regex -- they have no place in a name
    const words = line.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
    if (words === "") continue;
    const clipped = clipStart(words, MAX_UNITS);
    return clipped.length < words.length ? `${clipped.trimEnd()}…` : clipped;
  }
  return null;
}
