import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import { openPool } from "./database.ts";

/** Two levels up from `src/storage` and from `dist/storage` alike. */
const migrationsFolder = fileURLToPath(new URL("../../drizzle", import.meta.url));

/**
 * Bring the database to this version. To be called by whoever holds the writer's advisory lock:
 * nothing else keeps two starting processes apart.
 */
export async function migrate(url: string): Promise<void> {
  const sql = openPool(url, { name: "migrate", max: 1 });
  try {
    await runMigrations(drizzle(sql), { migrationsFolder });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
