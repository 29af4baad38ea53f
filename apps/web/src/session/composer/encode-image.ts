/**
 * A picture as it is sent: decoded and drawn anew, so that it is a picture and nothing else (no
 * place it was taken at, nothing hidden behind it), at most LONGEST_SIDE long.
 */
import { fitSize, imageTypeOf, type ImageType } from "./image-type.ts";

/** Before base64; the model's own limit is 5 MB after. */
const MOST_BYTES = 3_500_000;
/** Nobody pastes more by intent, and decoding it would take the page down. */
const MOST_FILE_BYTES = 40_000_000;
const QUALITIES = [0.9, 0.75, 0.5];

export type EncodedImage = {
  readonly mediaType: ImageType;
  /** base64 */
  readonly data: string;
  readonly blob: Blob;
  readonly width: number;
  readonly height: number;
};
export class ImageError extends Error {
  readonly reason: "not_an_image" | "too_large" | "broken";
  constructor(reason: ImageError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

export async function encodeImage(file: Blob): Promise<EncodedImage> {
  if (file.size > MOST_FILE_BYTES) throw new ImageError("too_large");
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const type = imageTypeOf(head);
  if (type === null) throw new ImageError("not_an_image");
  // By what it is, not by what it calls itself.
  const bitmap = await createImageBitmap(new Blob([file], { type })).catch(() => null);
  if (bitmap === null) throw new ImageError("broken");
  const size = fitSize(bitmap.width, bitmap.height);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, size);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, size.width, size.height);
  bitmap.close();
  const blob = await encode(canvas, type === "image/jpeg");
  return {
    mediaType: blob.type as ImageType,
    data: await toBase64(blob),
    blob,
    ...size,
  };
}

/** Screenshots stay sharp (PNG) as long as that is small enough. */
async function encode(canvas: HTMLCanvasElement, isPhoto: boolean): Promise<Blob> {
  const png = isPhoto ? null : await toBlob(canvas, "image/png");
  if (png !== null && png.size <= MOST_BYTES) return png;
  for (const quality of QUALITIES) {
    const blob = await toBlob(canvas, "image/jpeg", quality);
    if (blob !== null && blob.size <= MOST_BYTES) return blob;
  }
  throw new ImageError("too_large");
}

const toBlob = (canvas: HTMLCanvasElement, type: string, quality?: number) =>
  new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });

async function toBase64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(new ImageError("broken")));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(",") + 1);
}
