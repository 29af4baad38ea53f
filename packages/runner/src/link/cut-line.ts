/** Cuts a line into the parts of data frames. */
import { FRAME_BYTES, type DataHeader, type ProcessLine } from "@lodge/protocol";

export type LinePart = DataHeader["parts"][number] & { readonly bytes: Uint8Array };

/** What is left of a frame for payload once its header has its share. */
export const PAYLOAD_BYTES = FRAME_BYTES - 32 * 1024;
/** Each part takes about 100 bytes of header. */
export const PARTS_PER_FRAME = 200;

/** `before`: the offset at which the line begins. */
export function cutLine(line: ProcessLine, before: number): LinePart[] {
  const { bytes, at } = line;
  const parts: LinePart[] = [];
  for (let from = 0; bytes.byteLength - from > PAYLOAD_BYTES; from += PAYLOAD_BYTES) {
    parts.push({
      line: line.line,
      offset: before + from + PAYLOAD_BYTES,
      size: PAYLOAD_BYTES,
      at,
      end: false,
      bytes: bytes.subarray(from, from + PAYLOAD_BYTES),
    });
  }
  const last = bytes.subarray(parts.length * PAYLOAD_BYTES);
  parts.push({
    line: line.line,
    offset: line.offset,
    size: last.byteLength,
    at,
    end: true,
    ...(line.cut === true && { cut: true }),
    bytes: last,
  });
  return parts;
}
