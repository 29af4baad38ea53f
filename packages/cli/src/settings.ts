/** Every setting that the `lodge` command reads, in one place. The parts of the house read their own from LODGE_*. */
import { resolve } from "node:path";
import { Complaint } from "./complaint.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Unset: a PostgreSQL of our own. */
  readonly databaseUrl: string | undefined;
  readonly environment: Environment;
}

const PATHS = ["LODGE_CLAUDE_BIN", "CLAUDE_BIN", "LODGE_RUN_ENV_FILE", "LODGE_HOME_ROOT"];

export function parseSettings(environment: Environment, cwd: string): Settings {
  // An empty variable is how a shell or a compose file says "not set".
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  requireTogether(text, "LODGE_ADMIN_LOGIN", "LODGE_ADMIN_PASSWORD");
  return {
    host: text("LODGE_HOST") ?? "127.0.0.1",
    port: parsePort(text("LODGE_PORT") ?? "4400"),
    publicUrl: parseUrl("LODGE_PUBLIC_URL", text("LODGE_PUBLIC_URL"), ["http:", "https:"]),
    dataDir: resolve(cwd, text("LODGE_DATA_DIR") ?? ".lodge"),
    databaseUrl: parseUrl("DATABASE_URL", text("DATABASE_URL"), ["postgres:", "postgresql:"]),
    environment: { ...environment, ...absolutePaths(text, cwd) },
  };
}

/** A part works in a directory of its own, so what the person meant by `./key.env` is settled here. */
function absolutePaths(text: (name: string) => string | undefined, cwd: string): Environment {
  const found = PATHS.flatMap((name) => {
    const value = text(name);
    // A bare `claude` is a command to look for, not a file; a bare `run.env` is a file.
    const isFile = value?.includes("/") === true || !name.endsWith("CLAUDE_BIN");
    return value !== undefined && isFile ? [[name, resolve(cwd, value)] as const] : [];
  });
  return Object.fromEntries(found);
}

function parsePort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new Complaint(
    `LODGE_PORT is "${value}", which is no port: it must be a number from 0 to 65535.`,
  );
}

/** The value itself is not shown: a URL may hold a password. */
function parseUrl(
  name: string,
  value: string | undefined,
  protocols: readonly string[],
): string | undefined {
  if (value === undefined) return undefined;
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
  throw new Complaint(
    `${name} is no URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}.`,
  );
}

function requireTogether(
  text: (name: string) => string | undefined,
  ...names: readonly string[]
): void {
  const missing = names.filter((name) => text(name) === undefined);
  if (missing.length === 0 || missing.length === names.length) return;
  throw new Complaint(`${names.join(" and ")} go together, but ${missing.join(", ")} is not set.`);
}
