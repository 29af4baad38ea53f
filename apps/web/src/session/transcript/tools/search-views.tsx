/** Looking for files and text, here and on the web. */
import { createMemo, For, Show } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { LinkView } from "../markdown/link-view.tsx";
import type { ToolRow } from "../row.ts";
import { OutputText } from "../text/output-text.tsx";
import { Prose } from "../text/prose.tsx";
import { fieldsOf, listOf, numberOf, restOf, stringOf, textOf, textOfResult } from "./fields.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";

type RowProps = { readonly row: ToolRow };

export function SearchView(props: RowProps) {
  const found = createMemo(() => readFound(props.row));
  return (
    <>
      <p class="tool-path">
        <code>
          <VisibleText text={stringOf(props.row.input["pattern"]) ?? ""} />
        </code>
        <Show when={found()?.note}>{(note) => <span class="tool-aside">{note()}</span>}</Show>
      </p>
      <InputFields fields={restOf(props.row.input, ["pattern"])} foldKey={props.row.key} />
      <Show
        when={found()}
        fallback={
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        }
      >
        {(what) => (
          <Show when={what().text} fallback={<p class="tool-note">{t("search.nothing")}</p>}>
            {(text) => <OutputText text={text()} foldKey={`${props.row.key}.found`} />}
          </Show>
        )}
      </Show>
    </>
  );
}

/** null: not finished, failed, or in a shape that is not known. */
function readFound({ result }: ToolRow) {
  if (result === null || result.isError) return null;
  const detail = fieldsOf(result.detail);
  const files = listOf(detail["filenames"]).filter((name) => typeof name === "string");
  const content = textOf(detail["content"]);
  const text = content !== null && content !== "" ? content : files.join("\n");
  const count = numberOf(detail["numFiles"]) ?? (files.length > 0 ? files.length : null);
  const matches = numberOf(detail["numMatches"]) ?? numberOf(detail["numLines"]);
  if (count === null && matches === null) return null;
  const parts = [
    ...(matches === null ? [] : [t("search.matches", matches)]),
    ...(count === null ? [] : [t("search.files", count)]),
    ...(detail["truncated"] === true ? [t("search.cut")] : []),
  ];
  return { text, note: parts.join(" · ") };
}

export function WebView(props: RowProps) {
  const url = () => stringOf(props.row.input["url"]);
  const links = createMemo(() => readLinks(fieldsOf(props.row.result?.detail)["results"]));
  const text = () => {
    const { result } = props.row;
    return result === null || result.isError ? null : textOfResult(result);
  };
  return (
    <>
      <Show when={url()}>
        {(address) => (
          <p class="tool-path">
            <LinkView href={address()} text={address()}>
              <VisibleText text={address()} />
            </LinkView>
          </p>
        )}
      </Show>
      <InputFields fields={restOf(props.row.input, ["url"])} foldKey={props.row.key} />
      <Show when={links().length > 0}>
        <ul class="web-links">
          <For each={links()}>
            {(link) => (
              <li dir="auto">
                <LinkView href={link.url} text={link.title}>
                  {link.title}
                </LinkView>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show
        when={text()}
        fallback={
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        }
      >
        {(found) => (
          <div class="inset">
            <Prose text={found()} />
          </div>
        )}
      </Show>
    </>
  );
}

/** Results of a search: lists of links, beside pieces of text. */
function readLinks(results: unknown): readonly { url: string; title: string }[] {
  return listOf(results)
    .flatMap((result) => listOf(fieldsOf(result)["content"]))
    .map(fieldsOf)
    .flatMap(({ url, title }) =>
      typeof url === "string" ? [{ url, title: typeof title === "string" ? title : url }] : [],
    );
}
