/**
 * Markdown of the model as elements. Lists of tokens are shown by their place, so that text being
 * written changes the text nodes that change and nothing else.
 */
import { createMemo, For, Index, Match, Show, Switch, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import type { Token, Tokens } from "marked";
import { t } from "../../../i18n/t.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { InlineView } from "./inline-view.tsx";
import { GrowingMarkdown, lexMarkdown } from "./lex-markdown.ts";

const MAX_DEPTH = 24;

export function MarkdownView(props: { readonly text: string; readonly isGrowing?: boolean }) {
  const growing = new GrowingMarkdown();
  const tokens = createMemo(() =>
    props.isGrowing === true ? growing.lex(props.text) : lexMarkdown(props.text),
  );
  return (
    <div class="markdown" dir="auto">
      <Blocks tokens={tokens()} depth={0} isGrowing={props.isGrowing === true} />
    </div>
  );
}

type Level = { readonly depth: number; readonly isGrowing: boolean };

function Blocks(props: Level & { readonly tokens: readonly Token[] }): JSX.Element {
  return (
    <Index each={props.tokens}>
      {(token, index) => (
        <Block
          token={token()}
          depth={props.depth}
          isGrowing={props.isGrowing && index === props.tokens.length - 1}
        />
      )}
    </Index>
  );
}

/** Where block and inline tokens mix: in the items of a list. */
const INLINE = new Set(["text", "escape", "strong", "em", "del", "codespan", "link", "image"]);

function Block(props: Level & { readonly token: Token }) {
  const kind = () => (props.depth > MAX_DEPTH ? "raw" : props.token.type);
  const inline = () => <InlineView tokens={tokensOf(props.token)} />;
  return (
    <Switch
      fallback={
        <p class="markdown-raw" dir="auto">
          {props.token.raw.trim()}
        </p>
      }
    >
      <Match when={kind() === "space" || kind() === "def" || kind() === "checkbox"}>{null}</Match>
      <Match when={kind() === "paragraph"}>
        <p dir="auto">{inline()}</p>
      </Match>
      <Match when={kind() === "heading"}>
        <Dynamic component={HEADINGS[(props.token as Tokens.Heading).depth - 1] ?? "h6"} dir="auto">
          {inline()}
        </Dynamic>
      </Match>
      <Match when={kind() === "code"}>
        <CodeBlock
          code={(props.token as Tokens.Code).text}
          language={(props.token as Tokens.Code).lang ?? ""}
          isGrowing={props.isGrowing}
        />
      </Match>
      <Match when={kind() === "hr"}>
        <hr />
      </Match>
      <Match when={kind() === "blockquote"}>
        <blockquote dir="auto">
          <Blocks
            tokens={tokensOf(props.token)}
            depth={props.depth + 1}
            isGrowing={props.isGrowing}
          />
        </blockquote>
      </Match>
      <Match when={kind() === "list"}>
        <ListView
          list={props.token as Tokens.List}
          depth={props.depth + 1}
          isGrowing={props.isGrowing}
        />
      </Match>
      <Match when={kind() === "table"}>
        <TableView table={props.token as Tokens.Table} />
      </Match>
      <Match when={INLINE.has(kind())}>
        <InlineView tokens={[props.token]} />
      </Match>
    </Switch>
  );
}

/** The page has its own h1 and h2: what the model writes stands below them. */
const HEADINGS = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;

function ListView(props: Level & { readonly list: Tokens.List }) {
  const items = () => (
    <Index each={props.list.items}>
      {(item, index) => (
        <li dir="auto" data-task={item().task ? "" : undefined}>
          <Show when={item().task}>
            <span
              class="markdown-check"
              role="img"
              aria-label={t(item().checked === true ? "markdown.done" : "markdown.open")}
              data-checked={item().checked === true ? "" : undefined}
            />
          </Show>
          <Blocks
            tokens={item().tokens}
            depth={props.depth}
            isGrowing={props.isGrowing && index === props.list.items.length - 1}
          />
        </li>
      )}
    </Index>
  );
  return (
    <Show when={props.list.ordered} fallback={<ul>{items()}</ul>}>
      <ol start={props.list.start === "" ? 1 : props.list.start}>{items()}</ol>
    </Show>
  );
}

function TableView(props: { readonly table: Tokens.Table }) {
  const align = (column: number) => props.table.align[column] ?? undefined;
  return (
    <div class="markdown-table" tabindex="0" role="group" aria-label={t("markdown.table")}>
      <table>
        <thead>
          <tr>
            <For each={props.table.header}>
              {(cell, column) => (
                <th scope="col" dir="auto" data-align={align(column())}>
                  <InlineView tokens={cell.tokens} />
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <Index each={props.table.rows}>
            {(row) => (
              <tr>
                <Index each={row()}>
                  {(cell, column) => (
                    <td dir="auto" data-align={align(column)}>
                      <InlineView tokens={cell().tokens} />
                    </td>
                  )}
                </Index>
              </tr>
            )}
          </Index>
        </tbody>
      </table>
    </div>
  );
}

const tokensOf = (token: Token): readonly Token[] =>
  ("tokens" in token ? token.tokens : undefined) ?? [];
