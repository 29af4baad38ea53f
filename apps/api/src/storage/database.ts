/**
 * Connections to Postgres. Every pool of the api is made here, so that each says who it is and none
 * prints the server's notices.
 *
 * A pool given to drizzle must be drizzle's alone: it replaces the pool's parsers.
 */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "./schema.ts";

export type Sql = postgres.Sql;
export type Db = PostgresJsDatabase<typeof schema>;

export type PoolOptions = {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly max: number;
  /** Settings of each connection (`set …`). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Connections that hold something (a lock) live as long as they can. */
  readonly lasting?: boolean;
  readonly onClose?: () => void;
};

export function openPool(url: string, options: PoolOptions): Sql {
  return postgres(url, {
    max: options.max,
    connect_timeout: 10,
    // The driver asks for array types when it connects, and nobody catches it when that fails: a
    // connection lost just then would end the process. Arrays go as text here.
    fetch_types: false,
    keep_alive: 10,
    ...(options.lasting ? { max_lifetime: null, idle_timeout: 0 } : {}),
    // The writer and the lease decide themselves how long to wait before they try again.
    backoff: false,
    onnotice: () => {},
    ...(options.onClose ? { onclose: options.onClose } : {}),
    connection: { application_name: `lodge ${options.name}`, ...options.settings },
  });
}

/** The database for everything that is not the log: users, tokens, lists. */
export function openDatabase(url: string, max = 8): { db: Db; close: () => Promise<void> } {
  const sql = openPool(url, { name: "house", max });
  return { db: drizzle(sql, { schema }), close: () => sql.end({ timeout: 5 }) };
}
