/** A value on its way to the blob store, and the reference that stands in its place. */
import { clipEnd, clipStart } from "../clip.ts";
import type { BlobRef } from "../event.ts";
import { utf8Size } from "../utf8.ts";

/** `text` and `json`: the content is text. `base64`: the blob is the bytes that it encodes. */
export type BlobSource = {
  readonly id: string;
  readonly mediaType: string;
  readonly encoding: "utf8" | "base64";
  readonly content: string;
};

const HEAD_UNITS = 2048;
const TAIL_UNITS = 512;

/** A value that is no string is kept as JSON, and comes back by parsing it. */
export const JSON_MEDIA_TYPE = "application/json";
export const TEXT_MEDIA_TYPE = "text/plain";

export function makeBlob(
  value: unknown,
  mediaType: string | null,
  hash: (content: string) => string,
): { readonly ref: BlobRef; readonly source: BlobSource } {
  if (typeof value === "string" && mediaType !== null && isBase64(value)) {
    const id = hash(value);
    const size = (value.length / 4) * 3 - (value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0);
    return {
      ref: { $blob: { id, size, mediaType, head: "", tail: "" } },
      source: { id, mediaType, encoding: "base64", content: value },
    };
  }
  const isText = typeof value === "string";
  const content = isText ? value : JSON.stringify(value);
  const id = hash(content);
  const type = isText ? TEXT_MEDIA_TYPE : JSON_MEDIA_TYPE;
  return {
    ref: {
      $blob: {
        id,
        size: utf8Size(content),
        mediaType: type,
        head: clipStart(content, HEAD_UNITS),
        tail: clipEnd(content, TAIL_UNITS),
      },
    },
    source: { id, mediaType: type, encoding: "utf8", content },
  };
}

const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** A deep copy of plain JSON. */
export function cloneJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cloneJson(inner)]));
}

export const isBlobRef = (value: unknown): value is BlobRef =>
  typeof value === "object" &&
  value !== null &&
  "$blob" in value &&
  typeof value.$blob === "object" &&
  value.$blob !== null;
