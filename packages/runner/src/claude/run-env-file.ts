/**
 * The file of variables that every run gets: an API key, a gateway, a proxy. Lines of NAME=value;
 * empty lines and lines that begin with # are skipped; one pair of quotes around a value is taken
 * off. Nothing is expanded.
 *
 * A variable that changes what programs load or run is refused, not passed on: whoever can write
 * this file may configure Claude, not every shell and interpreter below it.
 */
export type RunEnvFile = {
  readonly variables: Readonly<Record<string, string>>;
  /** Names that were refused, and `line N` for lines that are no assignment. */
  readonly refused: readonly string[];
};

const REFUSED: readonly RegExp[] = [
  /^(LD|DYLD|BASH_FUNC|LODGE)_/,
  /^(NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS_DIR|NODE_REPL_.*|VSCODE_INSPECTOR_OPTIONS)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE)$/,
  /^(PYTHONSTARTUP|PYTHONHOME|PYTHONPATH|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS)$/,
  /^(GCONV_PATH|HOSTALIASES|LOCPATH|NLSPATH|MALLOC_.*|GLIBC_TUNABLES|TERMINFO.*)$/,
  // What the CLI sets for its own children; and one that it dies of without bubblewrap.
  /^(CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_CHILD_SESSION|CLAUDE_CODE_SESSION_ID)$/,
  /^CLAUDE_CODE_SUBPROCESS_ENV_SCRUB$/,
];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const QUOTED = /^(["'])(.*)\1$/s;

export function parseRunEnvFile(text: string): RunEnvFile {
  const variables: Record<string, string> = Object.create(null) as Record<string, string>;
  const refused: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim().replace(/^export\s+/, "");
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    const name = line.slice(0, Math.max(equals, 0)).trim();
    const value = line.slice(equals + 1).trim();
    // A name that is none is not repeated: the line may well be a secret.
    if (!NAME.test(name) || value.includes("\0")) refused.push(`line ${index + 1}`);
    else if (REFUSED.some((pattern) => pattern.test(name))) refused.push(name);
    else variables[name] = QUOTED.exec(value)?.[2] ?? value;
  }
  return { variables, refused };
}
