import { createRoot } from "solid-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAttachments, MOST_ATTACHMENTS } from "./create-attachments.ts";
import { ImageError, type EncodedImage } from "./encode-image.ts";
import { fitSize, imageTypeOf } from "./image-type.ts";

const bytes = (...values: readonly number[]) => new Uint8Array(values);
const text = (value: string) => new TextEncoder().encode(value);

test.each([
  ["image/png", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)],
  ["image/jpeg", bytes(0xff, 0xd8, 0xff, 0xe0)],
  ["image/gif", text("GIF89a")],
  ["image/webp", text("RIFF\u0001\u0002\u0003\u0004WEBPVP8 ")],
  [null, text("<svg xmlns='http://www.w3.org/2000/svg'>")],
  [null, text("<html><script>alert(1)</script>")],
  [null, text("RIFF\u0001\u0002\u0003\u0004WAVE")],
  [null, bytes()],
])("by its first bytes it is %s", (type, head) => {
  expect(imageTypeOf(head)).toBe(type);
});

test.each([
  [4000, 3000, 2000, 1500],
  [300, 200, 300, 200],
  [100_000, 3, 2000, 1],
])("%d × %d is sent as %d × %d", (width, height, toWidth, toHeight) => {
  expect(fitSize(width, height)).toEqual({ width: toWidth, height: toHeight });
});

const revoked: string[] = [];
beforeEach(() => {
  revoked.length = 0;
  // jsdom has no object URLs.
  vi.stubGlobal(
    "URL",
    Object.assign(URL, {
      createObjectURL: () => "blob:x",
      revokeObjectURL: (url: string) => revoked.push(url),
    }),
  );
});
afterEach(() => vi.unstubAllGlobals());

const PICTURE: EncodedImage = {
  mediaType: "image/png",
  data: "aGk=",
  blob: new Blob([]),
  width: 1,
  height: 1,
};
const file = (name: string) => new File(["x"], name);
const settle = () => new Promise((resolve) => setTimeout(resolve));

test("a picture is sent once it is read; one that cannot be says so and is not", async () => {
  const { attachments, dispose } = createRoot((end) => ({
    attachments: createAttachments((given) =>
      (given as File).name === "good.png"
        ? Promise.resolve(PICTURE)
        : Promise.reject(new ImageError("not_an_image")),
    ),
    dispose: end,
  }));
  attachments.add([file("good.png"), file("bad.svg")]);
  expect([attachments.isReading(), attachments.blocks()]).toEqual([true, []]);
  await settle();
  expect(attachments.isReading()).toBe(false);
  expect(attachments.items().map(({ state }) => state.kind)).toEqual(["ready", "failed"]);
  expect(attachments.blocks()).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
  ]);
  attachments.remove(attachments.items()[0]?.id ?? 0);
  expect(revoked).toEqual(["blob:x"]);
  expect(attachments.blocks()).toEqual([]);
  dispose();
});

test("what was taken out while it was read stays out, and there is an end to how many", async () => {
  const { attachments, dispose } = createRoot((end) => ({
    attachments: createAttachments(() => Promise.resolve(PICTURE)),
    dispose: end,
  }));
  attachments.add([file("a.png")]);
  attachments.remove(attachments.items()[0]?.id ?? 0);
  await settle();
  expect(attachments.items()).toEqual([]);
  attachments.add(Array.from({ length: MOST_ATTACHMENTS + 1 }, () => file("b.png")));
  await settle();
  expect(attachments.blocks()).toHaveLength(MOST_ATTACHMENTS);
  dispose();
});
