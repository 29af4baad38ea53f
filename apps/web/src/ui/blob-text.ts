import { isBlobRef, type BlobRef, type Text } from "@lodge/protocol";

/** What of a text is at hand: all of it, or its two ends. */
export function previewText(text: Text): string {
  return isBlobRef(text) ? `${text.$blob.head} … ${text.$blob.tail}` : text;
}

/** Every value that was too long for the log, wherever it stands in this one. */
export function findBlobRefs(value: unknown): readonly BlobRef[] {
  if (isBlobRef(value)) return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(findBlobRefs);
}
