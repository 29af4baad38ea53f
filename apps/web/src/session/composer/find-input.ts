/** The whole text of an input that waits, from the log; the state keeps only its beginning. */
import { isBlobRef, type SessionEvent } from "@lodge/protocol";

/** null: further back than what this page has loaded. */
export async function readInputText(
  events: readonly SessionEvent[],
  inputId: string,
  readBlob: (id: string) => Promise<string>,
): Promise<string | null> {
  const found = events.findLast(
    (event) => event.type === "input:queued" && event.data.inputId === inputId,
  );
  if (found?.type !== "input:queued") return null;
  const { text } = found.data;
  return isBlobRef(text) ? readBlob(text.$blob.id) : text;
}
