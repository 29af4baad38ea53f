/**
 * What a part of the house gets to see of our environment: what is on these lists, every LODGE_* setting that
 * concerns it, and nothing else. Not NODE_OPTIONS, not an editor's debugger, not somebody's cloud credentials.
 */
import type { Environment } from "./settings.ts";

const EVERY_PART = [
  ..."PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR".split(" "),
  ..."HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy".split(" "),
  ..."NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR NODE_ENV".split(" "),
];

/** The runner looks for the CLI and for the login that its user has with it. */
const RUNNER_ONLY = "CLAUDE_BIN CLAUDE_CONFIG_DIR XDG_CONFIG_HOME XDG_RUNTIME_DIR".split(" ");

/** LODGE_TOKEN is a person's own, for the command line. The first admin concerns the api alone. */
const NO_PART = ["LODGE_TOKEN"];
const API_ONLY = ["LODGE_ADMIN_LOGIN", "LODGE_ADMIN_PASSWORD"];

export function environmentFor(
  part: "api" | "runner" | "tool",
  environment: Environment,
): Record<string, string> {
  const listed = part === "runner" ? [...EVERY_PART, ...RUNNER_ONLY] : EVERY_PART;
  const hidden = part === "api" ? NO_PART : [...NO_PART, ...API_ONLY];
  const mayHave = (name: string): boolean =>
    listed.includes(name) ||
    (part !== "tool" && name.startsWith("LODGE_") && !hidden.includes(name));
  // Without a prototype, so that nothing can be inherited into a child's environment.
  const built: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && mayHave(name)) built[name] = value;
  }
  return built;
}
