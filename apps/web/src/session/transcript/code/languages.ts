/** The languages that are coloured, by the names people give them and by the ends of file names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  typescript: ["ts", "mts", "cts"],
  tsx: [],
  javascript: ["js", "mjs", "cjs", "node"],
  jsx: [],
  json: ["jsonc", "json5", "jsonl", "webmanifest"],
  python: ["py", "pyi", "python3"],
  shellscript: ["sh", "bash", "zsh", "shell", "console", "ksh"],
  go: ["golang"],
  rust: ["rs"],
  java: [],
  kotlin: ["kt", "kts"],
  swift: [],
  c: ["h"],
  cpp: ["c++", "cc", "cxx", "hpp", "hh"],
  csharp: ["cs", "c#"],
  ruby: ["rb"],
  php: [],
  html: ["htm", "xhtml", "svg", "vue", "svelte"],
  css: [],
  scss: ["sass"],
  xml: ["plist", "xsd"],
  sql: ["postgres", "postgresql", "psql", "mysql", "sqlite"],
  yaml: ["yml"],
  toml: [],
  ini: ["conf", "cfg", "properties", "env"],
  markdown: ["md", "mdx"],
  diff: ["patch"],
  docker: ["dockerfile", "containerfile"],
  make: ["makefile", "mk"],
  lua: [],
  elixir: ["ex", "exs"],
  haskell: ["hs"],
  scala: ["sbt"],
  dart: [],
  nix: [],
  terraform: ["tf", "hcl"],
  graphql: ["gql"],
  proto: ["protobuf"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([language, names]) =>
    [language, ...names].map((name) => [name, language] as const),
  ),
);

/** null: shown without colours. */
export function languageOf(name: string): string | null {
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

export function languageOfPath(path: string): string | null {
  const file = path.split("/").at(-1)?.toLowerCase() ?? "";
  return languageOf(file) ?? languageOf(file.split(".").at(-1) ?? "");
}
