/**
 * The environment of a run, built from an allow-list. Nothing of the daemon's own environment gets
 * in by itself: it holds the runner's token, perhaps a database's address, and what a debugger or an
 * outer Claude put there.
 */
import type { Environment } from "../spawn/run-program.ts";

const FROM_HOST = [
  "HOME",
  "PATH",
  "SHELL",
  "LANG",
  "LC_ALL",
  "TERM",
  "TZ",
  "USER",
  "LOGNAME",
  "TMPDIR",
  // Where the login of the user that runs are is kept, if not in the home.
  "CLAUDE_CONFIG_DIR",
] as const;

const DEFAULTS = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
};

/** The version is pinned, titles are asked for by us, and what a team does is not reported. */
const FOR_CLAUDE = {
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

const HOST_ROUTES = ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];

export type EnvironmentOptions = {
  /** The daemon's environment, as main read it. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly runVariables: Readonly<Record<string, string>>;
};

export function runEnvironment({ host, runVariables }: EnvironmentOptions): Environment {
  const environment: Record<string, string> = Object.create(null) as Record<string, string>;
  Object.assign(environment, DEFAULTS);
  for (const name of FROM_HOST) {
    const value = host[name];
    if (value !== undefined && value !== "") environment[name] = value;
  }
  Object.assign(environment, FOR_CLAUDE, runVariables);
  // Where the host gives the way or the key, the settings of a repository, even a trusted one, may not
  // send the requests elsewhere: the key would go along (seen).
  if (HOST_ROUTES.some((name) => runVariables[name] !== undefined)) {
    environment["CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST"] = "1";
  }
  return environment;
}
