/**
 * The api's settings, from the environment, parsed once.
 */
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);
const positive = z.coerce.number().int().positive();

const environment = z.object({
  DATABASE_URL: z.string().min(1, "DATABASE_URL is not set"),
  LODGE_HOST: z.string().min(1).default("127.0.0.1"),
  LODGE_PORT: port.default(4400),
  LODGE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  LODGE_RUNNER_TOKEN: z.string().min(20, "LODGE_RUNNER_TOKEN needs at least 20 characters"),
  LODGE_ADMIN_LOGIN: z.string().min(1).optional(),
  LODGE_ADMIN_PASSWORD: z.string().min(1).optional(),
  LODGE_ISOLATION: z.enum(["none"]).optional(),
  LODGE_IDLE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(30 * 60_000),
  LODGE_MAX_RUNS: positive.default(20),
  LODGE_MAX_STREAMS: positive.default(32),
  LODGE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info"),
});

export type Env = {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** null: loopback, whatever name it is reached by. */
  readonly publicUrl: URL | null;
  readonly runnerToken: string;
  readonly firstAdmin: { readonly login: string; readonly password: string } | null;
  /** The admin said that runs sharing one account is meant. */
  readonly isolationNoneMeant: boolean;
  readonly idleTimeoutMs: number;
  readonly maxRuns: number;
  /** Streams that one person may hold open at once. */
  readonly maxStreams: number;
  readonly logLevel: string;
};

/** One sentence for whoever starts the api. */
export class ConfigError extends Error {}

export function parseEnv(record: Readonly<Record<string, string | undefined>>): Env {
  const known = Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(known);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = issue?.path.join(".") ?? "";
    throw new ConfigError(
      known[name] === undefined
        ? `${name} is not set.`
        : `${name}: ${issue?.message ?? "invalid"}.`,
    );
  }
  const env = parsed.data;
  if ((env.LODGE_ADMIN_LOGIN === undefined) !== (env.LODGE_ADMIN_PASSWORD === undefined))
    throw new ConfigError("LODGE_ADMIN_LOGIN and LODGE_ADMIN_PASSWORD go together.");
  return {
    databaseUrl: env.DATABASE_URL,
    host: env.LODGE_HOST,
    port: env.LODGE_PORT,
    publicUrl: env.LODGE_PUBLIC_URL === undefined ? null : new URL(env.LODGE_PUBLIC_URL),
    runnerToken: env.LODGE_RUNNER_TOKEN,
    firstAdmin:
      env.LODGE_ADMIN_LOGIN !== undefined && env.LODGE_ADMIN_PASSWORD !== undefined
        ? { login: env.LODGE_ADMIN_LOGIN, password: env.LODGE_ADMIN_PASSWORD }
        : null,
    isolationNoneMeant: env.LODGE_ISOLATION === "none",
    idleTimeoutMs: env.LODGE_IDLE_TIMEOUT_MS,
    maxRuns: env.LODGE_MAX_RUNS,
    maxStreams: env.LODGE_MAX_STREAMS,
    logLevel: env.LODGE_LOG_LEVEL,
  };
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);
