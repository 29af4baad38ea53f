/** A picture that was sent along, from the event or from the blob store; never one from elsewhere. */
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { isBlobRef } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { useLodge } from "../../../live/lodge-context.ts";
import { useSessionRoom } from "../../session-context.ts";

const TYPES = /^image\/(png|jpeg|gif|webp)$/;

export type PictureSource =
  | { readonly kind: "inline"; readonly url: string }
  | { readonly kind: "blob"; readonly id: string; readonly mediaType: string };

/** null: the block is no picture that can be shown. */
export function pictureOf(block: Readonly<Record<string, unknown>>): PictureSource | null {
  if (block["type"] !== "image") return null;
  const source = block["source"];
  if (typeof source !== "object" || source === null) return null;
  const { type, media_type: mediaType, data } = source as Readonly<Record<string, unknown>>;
  if (type !== "base64" || typeof mediaType !== "string" || !TYPES.test(mediaType)) return null;
  if (isBlobRef(data)) return { kind: "blob", id: data.$blob.id, mediaType };
  return typeof data === "string"
    ? { kind: "inline", url: `data:${mediaType};base64,${data}` }
    : null;
}

export function Picture(props: { readonly source: PictureSource; readonly alt?: string }) {
  const lodge = useLodge();
  const room = useSessionRoom();
  /** No resource: the text beside a picture does not wait for it. */
  const [url, setUrl] = createSignal<string | null>(null);
  const [isFailed, setIsFailed] = createSignal(false);

  createEffect(
    on(
      () => props.source,
      (source) => {
        if (source.kind === "inline") {
          setUrl(source.url);
          return;
        }
        const abort = new AbortController();
        let made: string | null = null;
        load(source, abort.signal).then(
          (bytes) => {
            if (abort.signal.aborted) return;
            made = URL.createObjectURL(bytes);
            setUrl(made);
          },
          () => setIsFailed(!abort.signal.aborted),
        );
        onCleanup(() => {
          abort.abort();
          if (made !== null) URL.revokeObjectURL(made);
        });
      },
    ),
  );

  async function load(
    source: Extract<PictureSource, { kind: "blob" }>,
    signal: AbortSignal,
  ): Promise<Blob> {
    const session = encodeURIComponent(room.session.sessionId);
    const path = `/api/sessions/${session}/blobs/${encodeURIComponent(source.id)}`;
    const response = await lodge.http.open(path, { signal });
    if (!response.ok) throw new Error(`the picture answered ${response.status}`);
    return new Blob([await response.arrayBuffer()], { type: source.mediaType });
  }

  return (
    <Show when={!isFailed()} fallback={<p class="hint">{t("picture.failed")}</p>}>
      <Show when={url()} fallback={<span class="picture-place" aria-hidden="true" />}>
        {(found) => <img class="picture" src={found()} alt={props.alt ?? t("transcript.image")} />}
      </Show>
    </Show>
  );
}
