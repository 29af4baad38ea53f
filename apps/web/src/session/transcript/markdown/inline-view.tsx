/** The inside of a paragraph: tokens to nodes, nothing of it ever as markup. */
import { Index, Match, Show, Switch, type JSX } from "solid-js";
import type { Token, Tokens } from "marked";
import { t } from "../../../i18n/t.ts";
import { decodeEntities } from "./decode-entities.ts";
import { LinkView } from "./link-view.tsx";
import { plainTextOf } from "./plain-text.ts";

/** Deeper than anybody writes. */
const MAX_DEPTH = 16;

export function InlineView(props: {
  readonly tokens: readonly Token[];
  readonly depth?: number;
}): JSX.Element {
  return (
    <Index each={props.tokens}>
      {(token) => <Piece token={token()} depth={props.depth ?? 0} />}
    </Index>
  );
}

function Piece(props: { readonly token: Token; readonly depth: number }) {
  const kind = () => (props.depth > MAX_DEPTH ? "raw" : props.token.type);
  const inner = () => <InlineView tokens={tokensOf(props.token)} depth={props.depth + 1} />;
  return (
    <Switch fallback={props.token.raw}>
      <Match when={kind() === "text"}>
        <Show when={tokensOf(props.token).length > 0} fallback={textOf(props.token)}>
          {inner()}
        </Show>
      </Match>
      <Match when={kind() === "escape"}>{textOf(props.token)}</Match>
      <Match when={kind() === "strong"}>
        <strong>{inner()}</strong>
      </Match>
      <Match when={kind() === "em"}>
        <em>{inner()}</em>
      </Match>
      <Match when={kind() === "del"}>
        <del>{inner()}</del>
      </Match>
      <Match when={kind() === "br"}>
        <br />
      </Match>
      <Match when={kind() === "codespan"}>
        <code dir="ltr">{(props.token as Tokens.Codespan).text}</code>
      </Match>
      <Match when={kind() === "link"}>
        <LinkView href={hrefOf(props.token)} text={plainTextOf(tokensOf(props.token))}>
          {inner()}
        </LinkView>
      </Match>
      <Match when={kind() === "image"}>
        <LinkView href={hrefOf(props.token)} text={textOf(props.token)}>
          {t("markdown.picture", textOf(props.token))}
        </LinkView>
      </Match>
    </Switch>
  );
}

const tokensOf = (token: Token): readonly Token[] =>
  ("tokens" in token ? token.tokens : undefined) ?? [];
const hrefOf = (token: Token): string => decodeEntities((token as Tokens.Link).href);
/** `escaped`: it stood where entities mean nothing. */
const textOf = (token: Token): string => {
  const { text, escaped } = token as Tokens.Text;
  return escaped === true ? text : decodeEntities(text);
};
