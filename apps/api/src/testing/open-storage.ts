/** A Postgres store for tests, with the lease it needs and a look behind it. */
import type { SessionId, SessionSummary } from "@lodge/protocol";
import { openPool, type Sql } from "../storage/database.ts";
import type { WriteTrouble } from "../storage/event-writer.ts";
import { PgEventStorage, type PgEventStorageOptions } from "../storage/pg-event-storage.ts";

export type OpenStorage = {
  readonly storage: PgEventStorage;
  readonly sql: Sql;
  readonly troubles: readonly WriteTrouble[];
  fenced(): boolean;
  createSession(id: SessionId): Promise<SessionId>;
  readSummary(sessionId: SessionId): Promise<SessionSummary | null>;
  setMemoVersion(sessionId: SessionId, version: number): Promise<void>;
  close(): Promise<void>;
};

/** Takes the lease over by its epoch alone, as the next process would. */
export async function openStorage(
  url: string,
  options: Partial<PgEventStorageOptions> = {},
): Promise<OpenStorage> {
  const sql = openPool(url, { name: "test", max: 2 });
  const [lease] = await sql<{ epoch: string }[]>`
    insert into writer_lease (id, epoch, holder) values (1, 1, 'test')
    on conflict (id) do update set epoch = writer_lease.epoch + 1 returning epoch`;
  const troubles: WriteTrouble[] = [];
  let fenced = false;
  const storage = new PgEventStorage({
    url,
    epoch: Number(lease?.epoch),
    onFenced: () => {
      fenced = true;
    },
    onTrouble: (trouble) => troubles.push(trouble),
    ...options,
  });
  return {
    storage,
    sql,
    troubles,
    fenced: () => fenced,
    createSession: (id) => createSession(sql, id),
    readSummary: (sessionId) => readSummary(sql, sessionId),
    async setMemoVersion(sessionId, version) {
      await sql`update memos set fold_version = ${version} where session_id = ${sessionId}`;
    },
    async close() {
      await storage.close();
      await sql.end({ timeout: 5 });
    },
  };
}

async function createSession(sql: Sql, id: SessionId): Promise<SessionId> {
  await sql`
    with owner as (
      insert into users (id, login, name, role)
      values (gen_random_uuid(), gen_random_uuid()::text, 'Ann', 'member') returning id
    )
    insert into sessions (id, owner_id) select ${id}, id from owner`;
  return id;
}

async function readSummary(sql: Sql, sessionId: SessionId): Promise<SessionSummary | null> {
  const [row] = await sql`select * from sessions where id = ${sessionId}`;
  if (!row) return null;
  return {
    status: row["status"],
    processAlive: row["process_alive"],
    activity: row["activity"],
    title: row["title"],
    needsMe: row["needs_me"],
    head: row["head"],
    lastEventAt: Number(row["last_event_at"]),
    lastError: row["last_error"],
    costUsd: row["cost_usd"],
  };
}
