/** What a tool gave back, or what came with an input: text, images, and whatever else there may be. */
import { For, Match, Switch } from "solid-js";
import { isBlobRef, type Text } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { LongText } from "../long-text.tsx";

const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp)$/;

export function ContentView(props: { readonly content: Text | readonly unknown[] }) {
  const blocks = (): readonly unknown[] =>
    Array.isArray(props.content)
      ? (props.content as readonly unknown[])
      : [{ type: "text", text: props.content }];
  return (
    <For each={blocks()}>{(block) => <BlockView block={block as Record<string, unknown>} />}</For>
  );
}

function BlockView(props: { readonly block: Readonly<Record<string, unknown>> }) {
  return (
    <Switch fallback={<pre dir="auto">{JSON.stringify(props.block, null, 2)}</pre>}>
      <Match when={asText(props.block)}>
        {(text) => (
          <pre dir="auto">
            <LongText text={text()} />
          </pre>
        )}
      </Match>
      <Match when={imageUrl(props.block)}>
        {(url) => <img class="picture" src={url()} alt={t("transcript.image")} />}
      </Match>
    </Switch>
  );
}

function asText(block: Readonly<Record<string, unknown>>): Text | null {
  const text = block["text"];
  return block["type"] === "text" && (typeof text === "string" || isBlobRef(text)) ? text : null;
}

/** Only pictures that were sent along, never one that would have to be fetched from somewhere. */
function imageUrl(block: Readonly<Record<string, unknown>>): string | null {
  const source = block["source"] as Readonly<Record<string, unknown>> | undefined;
  if (block["type"] !== "image" || source?.["type"] !== "base64") return null;
  const { media_type: mediaType, data } = source;
  if (typeof mediaType !== "string" || !IMAGE_TYPES.test(mediaType)) return null;
  return typeof data === "string" ? `data:${mediaType};base64,${data}` : null;
}
