/**
 * UTF-8 both ways. The codecs are globals of every runtime Lodge meets, but belong neither to the
 * language nor to this package's type libraries: declared here, once.
 */
declare const TextDecoder: new (
  label?: string,
  options?: { fatal?: boolean; ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** null: not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Never fails: what is not UTF-8 becomes U+FFFD. */
export const decodeUtf8Lossy = (bytes: Uint8Array): string => lenient.decode(bytes);

/** Size in UTF-8 bytes, without encoding. A lone surrogate counts as U+FFFD, 3 bytes. */
export function utf8Size(text: string): number {
  let size = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) size += 1;
    else if (unit < 0x800) size += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        size += 4;
        i++;
      } else size += 3;
    } else size += 3;
  }
  return size;
}
