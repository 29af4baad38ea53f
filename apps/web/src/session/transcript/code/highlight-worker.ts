/** Reads code by the grammar of its language. Colours are names here; the page's style sheet has the paint. */
import { createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createCssVariablesTheme } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { CodeLine, HighlightAnswer, HighlightJob } from "./highlight.ts";

const GRAMMARS: Readonly<Record<string, LanguageInput>> = {
  typescript: () => import("shiki/langs/typescript.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  shellscript: () => import("shiki/langs/shellscript.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  scss: () => import("shiki/langs/scss.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  elixir: () => import("shiki/langs/elixir.mjs"),
  haskell: () => import("shiki/langs/haskell.mjs"),
  scala: () => import("shiki/langs/scala.mjs"),
  dart: () => import("shiki/langs/dart.mjs"),
  nix: () => import("shiki/langs/nix.mjs"),
  terraform: () => import("shiki/langs/terraform.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  proto: () => import("shiki/langs/proto.mjs"),
};

/** A grammar that takes longer than this on one line gives up on the line. */
const LINE_MS = 500;
/** Grammars that have read something: the first reading prepares them, which takes longer than a line may. */
const prepared = new Set<string>();
const PREFIX = "--code-";
const KIND = /--code-(?:token-)?([a-z-]+)/;

let opening: Promise<HighlighterCore> | null = null;
const open = () =>
  (opening ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "names", variablePrefix: PREFIX })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }));

async function read({ code, language }: HighlightJob): Promise<readonly CodeLine[] | null> {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return null;
  const highlighter = await open();
  await highlighter.loadLanguage(grammar);
  const options = { lang: language, theme: "names", tokenizeTimeLimit: LINE_MS } as const;
  if (!prepared.has(language)) highlighter.codeToTokens(code, options);
  prepared.add(language);
  const { tokens } = highlighter.codeToTokens(code, options);
  return tokens.map((line) =>
    line.map(({ content, color }) => {
      const kind = KIND.exec(color ?? "")?.[1] ?? "";
      return [content, kind === "foreground" ? "" : kind] as const;
    }),
  );
}

self.addEventListener("message", ({ data: job }: MessageEvent<HighlightJob>) => {
  const answer = (lines: readonly CodeLine[] | null) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's page is its only reader
    self.postMessage({ id: job.id, lines } satisfies HighlightAnswer);
  read(job).then(answer, () => answer(null));
});
