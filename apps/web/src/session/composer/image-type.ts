/** What a file is by its first bytes; what it calls itself counts for nothing. null: no picture the model takes. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

const MAGIC: readonly (readonly [ImageType, readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const startsWith = (magic: readonly number[], at = 0) =>
    magic.every((byte, index) => bytes[at + index] === byte);
  if (startsWith(RIFF) && startsWith(WEBP, 8)) return "image/webp";
  return MAGIC.find(([, magic]) => startsWith(magic))?.[0] ?? null;
}

/** The longest side the model looks at; more is only weight, and refused beyond some number. */
export const LONGEST_SIDE = 2000;

export function fitSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
