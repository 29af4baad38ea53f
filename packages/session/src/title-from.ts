/**
 * A name for a session that nobody has named: the first words of its first message. [A14]
 */
import { clipStart, type EventDraft, type SessionState } from "@lodge/protocol";

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

/** The event that names a session after this text, if it has no name yet. */
export function draftName(state: SessionState, text: string): readonly EventDraft[] {
  const title = state.config.title === null ? titleFrom(text) : null;
  if (title === null) return [];
  return [{ type: "config:changed", source: "api", runId: null, data: { title } }];
}
