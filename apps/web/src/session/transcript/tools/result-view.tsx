/** What a tool gave back: text, pictures, and whatever else there may be. */
import { Index, Match, Show, Switch } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import type { ToolResult } from "../row.ts";
import { OutputText } from "../text/output-text.tsx";
import { Picture, pictureOf } from "../text/picture.tsx";
import { fieldsOf, textOf, withoutErrorTags, type Fields } from "./fields.ts";

export function ResultView(props: { readonly result: ToolResult; readonly foldKey: string }) {
  return (
    <ContentBlocks
      content={props.result.content}
      foldKey={props.foldKey}
      isError={props.result.isError}
    />
  );
}

export function ContentBlocks(props: {
  readonly content: Text | readonly unknown[];
  readonly foldKey: string;
  readonly isError?: boolean;
}) {
  const blocks = (): readonly Fields[] =>
    Array.isArray(props.content)
      ? (props.content as readonly unknown[]).map(fieldsOf)
      : [{ type: "text", text: props.content }];
  return (
    <Index each={blocks()}>
      {(block, index) => (
        <Block
          block={block()}
          foldKey={`${props.foldKey}.${index}`}
          isError={props.isError === true}
        />
      )}
    </Index>
  );
}

function Block(props: {
  readonly block: Fields;
  readonly foldKey: string;
  readonly isError: boolean;
}) {
  const text = () => {
    const found = props.block["type"] === "text" ? textOf(props.block["text"]) : null;
    return typeof found === "string" ? { text: withoutErrorTags(found) } : found && { text: found };
  };
  return (
    <Switch
      fallback={<OutputText text={JSON.stringify(props.block, null, 2)} foldKey={props.foldKey} />}
    >
      <Match when={text()}>
        {(found) => (
          <Show when={found().text !== ""} fallback={<p class="tool-note">{t("result.empty")}</p>}>
            <OutputText
              text={found().text}
              foldKey={props.foldKey}
              {...(props.isError ? { tone: "error" as const } : {})}
            />
          </Show>
        )}
      </Match>
      <Match when={pictureOf(props.block)}>{(source) => <Picture source={source()} />}</Match>
    </Switch>
  );
}
