import { decodeUtf8Lossy, isBlobRef, JSON_MEDIA_TYPE } from "@lodge/protocol";
import type { Blob } from "./event-storage.ts";

/**
 * Put back what was moved to the blob store: the CLI must get the whole of what a person wrote or
 * allowed. Binary blobs go back as base64, values as
 * values, as they came.
 */
export async function restoreBlobs<T>(
  value: T,
  read: (id: string) => Promise<Blob | null>,
  toBase64: (bytes: Uint8Array) => string,
): Promise<T> {
  const restore = async (node: unknown): Promise<unknown> => {
    if (typeof node !== "object" || node === null) return node;
    if (isBlobRef(node)) {
      const blob = await read(node.$blob.id);
      if (!blob) throw new Error(`blob ${node.$blob.id} is missing`);
      if (blob.mediaType === JSON_MEDIA_TYPE) return JSON.parse(decodeUtf8Lossy(blob.bytes));
      return blob.mediaType.startsWith("text/")
        ? decodeUtf8Lossy(blob.bytes)
        : toBase64(blob.bytes);
    }
    if (Array.isArray(node)) return Promise.all(node.map(restore));
    const entries = await Promise.all(
      Object.entries(node).map(async ([key, item]) => [key, await restore(item)] as const),
    );
    return Object.fromEntries(entries);
  };
  return (await restore(value)) as T;
}
