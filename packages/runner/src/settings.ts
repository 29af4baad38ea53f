/** The runner's settings, read from the environment in this one place. */
import { resolve } from "node:path";
import { z } from "zod";

export type Settings = {
  readonly apiUrl: string;
  readonly token: string;
  readonly dataDir: string;
  readonly claudeBin: string | undefined;
  readonly runEnvFile: string | undefined;
  readonly maxRuns: number;
  readonly runnerId: string;
  readonly logLevel: string;
};

/** `problem` is one sentence for whoever started the runner. */
export type ParsedSettings =
  | { readonly kind: "ok"; readonly settings: Settings }
  | { readonly kind: "bad"; readonly problem: string };

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const schema = z.object({
  LODGE_API_URL: z.url({ protocol: /^https?$/, error: "is not an http or https address" }),
  LODGE_RUNNER_TOKEN: z.string({ error: "is not set" }).min(1, "is empty"),
  LODGE_DATA_DIR: z.string().min(1, "is empty").default("./.lodge"),
  LODGE_CLAUDE_BIN: z.string().optional(),
  LODGE_RUN_ENV_FILE: z.string().optional(),
  LODGE_MAX_RUNS: z.coerce
    .number({ error: "is not a number" })
    .int("is not a whole number")
    .min(1, "is less than 1")
    .max(10_000, "is more than 10000")
    .default(20),
  LODGE_RUNNER_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "has other characters than letters, digits, . _ -")
    .default("local"),
  LODGE_LOG_LEVEL: z.enum(LEVELS, { error: `is none of ${LEVELS.join(", ")}` }).default("info"),
});

export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ParsedSettings {
  // An empty variable is how a compose file says "unset".
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    const words = given[name] === undefined ? "is not set" : (issue?.message ?? "is not usable");
    return { kind: "bad", problem: `${name} ${words}.` };
  }
  const { data } = parsed;
  return {
    kind: "ok",
    settings: {
      apiUrl: data.LODGE_API_URL,
      token: data.LODGE_RUNNER_TOKEN,
      dataDir: resolve(data.LODGE_DATA_DIR),
      claudeBin: data.LODGE_CLAUDE_BIN,
      runEnvFile:
        data.LODGE_RUN_ENV_FILE === undefined ? undefined : resolve(data.LODGE_RUN_ENV_FILE),
      maxRuns: data.LODGE_MAX_RUNS,
      runnerId: data.LODGE_RUNNER_ID,
      logLevel: data.LODGE_LOG_LEVEL,
    },
  };
}
