/** Bytes of a line → the JSON object it is, or what it is instead. */
import { clipStart } from "../clip.ts";
import { type Fields, isFields } from "../fields.ts";
import { isTooDeep } from "../sanitise.ts";
import { decodeUtf8, decodeUtf8Lossy } from "../utf8.ts";

export type ParsedLine =
  | { readonly kind: "message"; readonly message: Fields }
  | { readonly kind: "empty" }
  | { readonly kind: "bad"; readonly why: string; readonly head: string };

/** So much of a line that cannot be read stands in its event; the raw store has all of it. */
const HEAD_BYTES = 4096;

const headOfBytes = (bytes: Uint8Array): string =>
  clipStart(decodeUtf8Lossy(bytes.subarray(0, HEAD_BYTES)), HEAD_BYTES);

export function parseLine(bytes: Uint8Array): ParsedLine {
  if (bytes.byteLength === 0 || (bytes.byteLength === 1 && bytes[0] === 0x0d))
    return { kind: "empty" };
  const text = decodeUtf8(bytes);
  if (text === null) return { kind: "bad", why: "not UTF-8", head: headOfBytes(bytes) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "bad", why: "not JSON", head: headOfBytes(bytes) };
  }
  if (!isFields(value)) return { kind: "bad", why: "not a JSON object", head: headOfBytes(bytes) };
  if (isTooDeep(value)) return { kind: "bad", why: "nested too deeply", head: headOfBytes(bytes) };
  return { kind: "message", message: value };
}
