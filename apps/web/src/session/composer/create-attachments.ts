/** Pictures that go with the next message: read, redrawn, shown, and taken out again. */
import { createSignal, onCleanup, type Accessor } from "solid-js";
import type { SendBody } from "@lodge/protocol";
import { encodeImage, ImageError, type EncodedImage } from "./encode-image.ts";

export const MOST_ATTACHMENTS = 8;

export type Attachment = {
  readonly id: number;
  readonly name: string;
  readonly state:
    | { readonly kind: "reading" }
    | { readonly kind: "ready"; readonly image: EncodedImage; readonly url: string }
    | { readonly kind: "failed"; readonly reason: ImageError["reason"] | "too_many" };
};
type ContentBlocks = NonNullable<SendBody["contentBlocks"]>;

export type Attachments = {
  readonly items: Accessor<readonly Attachment[]>;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: number) => void;
  readonly clear: () => void;
  /** Some are still being read: sending now would leave them out. */
  readonly isReading: () => boolean;
  readonly blocks: () => ContentBlocks;
};

export function createAttachments(
  encode: (file: Blob) => Promise<EncodedImage> = encodeImage,
): Attachments {
  const [items, setItems] = createSignal<readonly Attachment[]>([]);
  let nextId = 1;

  const release = (item: Attachment | undefined) => {
    if (item?.state.kind === "ready") URL.revokeObjectURL(item.state.url);
  };
  const settle = (id: number, state: Attachment["state"]) => {
    // Taken out while it was being read.
    if (!items().some((item) => item.id === id)) return;
    setItems((held) => held.map((item) => (item.id === id ? { ...item, state } : item)));
  };

  async function read(id: number, file: File) {
    try {
      const image = await encode(file);
      settle(id, { kind: "ready", image, url: URL.createObjectURL(image.blob) });
    } catch (error) {
      settle(id, {
        kind: "failed",
        reason: error instanceof ImageError ? error.reason : "broken",
      });
    }
  }

  const clear = () => {
    for (const item of items()) release(item);
    setItems([]);
  };
  onCleanup(clear);

  return {
    items,
    add: (files) => {
      for (const file of files) {
        const id = nextId++;
        const isTooMany = items().length >= MOST_ATTACHMENTS;
        const state = isTooMany
          ? ({ kind: "failed", reason: "too_many" } as const)
          : ({ kind: "reading" } as const);
        setItems((held) => [...held, { id, name: file.name, state }]);
        if (!isTooMany) void read(id, file);
      }
    },
    remove: (id) => {
      release(items().find((item) => item.id === id));
      setItems((held) => held.filter((item) => item.id !== id));
    },
    clear,
    isReading: () => items().some((item) => item.state.kind === "reading"),
    blocks: () =>
      items().flatMap(({ state }) =>
        state.kind === "ready"
          ? [
              {
                type: "image" as const,
                source: {
                  type: "base64" as const,
                  media_type: state.image.mediaType,
                  data: state.image.data,
                },
              },
            ]
          : [],
      ),
  };
}
