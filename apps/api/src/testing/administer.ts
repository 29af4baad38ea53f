import { openPool } from "../storage/database.ts";

/** Run one statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<void> {
  const sql = openPool(url, { name: "test setup", max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
