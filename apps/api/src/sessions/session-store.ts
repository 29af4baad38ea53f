/**
 * What is known of a session outside its log: owner, place, dates; and the list, served from the
 * summary that the event writer keeps.
 */
import { and, desc, eq, ilike, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { SessionListItem } from "@lodge/protocol";
import { sessions } from "../storage/schema.ts";
import type { Db } from "../storage/database.ts";

export type SessionRow = SessionListItem & { readonly ownerId: string };
export type NewSession = {
  readonly id: string;
  readonly ownerId: string;
  readonly runnerId: string;
  readonly cwd: string | null;
};
export type ListFilter = {
  readonly ownerId: string;
  readonly q?: string | undefined;
  readonly status?: SessionListItem["status"] | undefined;
  readonly archived?: boolean | undefined;
  readonly cursor?: { readonly lastEventAt: number; readonly id: string } | undefined;
  readonly limit: number;
};

export type SessionStore = {
  /** Makes the session; of a repeated id gives what is there. */
  create(session: NewSession): Promise<{ readonly row: SessionRow; readonly made: boolean }>;
  /** Deleted ones are not found. */
  get(id: string): Promise<SessionRow | null>;
  list(filter: ListFilter): Promise<readonly SessionRow[]>;
  setArchived(id: string, archived: boolean): Promise<void>;
  softDelete(id: string): Promise<void>;
  /** Sessions, deleted ones too, whose log says that something is alive or wanted. */
  awake(): Promise<readonly string[]>;
  /** Also of deleted sessions: their last run may still have to be ended. */
  place(id: string): Promise<{ ownerId: string; runnerId: string; cwd: string | null } | null>;
  ensureRunner(id: string): Promise<void>;
};

export function createSessionStore(db: Db): SessionStore {
  const toRow = (row: typeof sessions.$inferSelect): SessionRow => ({
    id: row.id,
    ownerId: row.ownerId,
    createdAt: row.createdAt.getTime(),
    archived: row.archivedAt !== null,
    deleted: row.deletedAt !== null,
    cwd: row.cwd,
    runnerId: row.runnerId,
    status: row.status as SessionRow["status"],
    processAlive: row.processAlive,
    activity: row.activity as SessionRow["activity"],
    title: row.title,
    needsMe: row.needsMe,
    head: row.head,
    lastEventAt: row.lastEventAt,
    lastError: row.lastError,
    costUsd: row.costUsd,
  });
  return {
    async create(session) {
      const [made] = await db.insert(sessions).values(session).onConflictDoNothing().returning();
      if (made) return { row: toRow(made), made: true };
      const [row] = await db.select().from(sessions).where(eq(sessions.id, session.id));
      if (!row) throw new Error("a session was there and is not there");
      return { row: toRow(row), made: false };
    },
    async get(id) {
      const [row] = await db
        .select()
        .from(sessions)
        .where(and(eq(sessions.id, id), isNull(sessions.deletedAt)));
      return row ? toRow(row) : null;
    },
    async list({ ownerId, q, status, archived, cursor, limit }) {
      const rows = await db
        .select()
        .from(sessions)
        .where(
          and(
            eq(sessions.ownerId, ownerId),
            isNull(sessions.deletedAt),
            archived === undefined
              ? undefined
              : archived
                ? isNotNull(sessions.archivedAt)
                : isNull(sessions.archivedAt),
            status === undefined ? undefined : eq(sessions.status, status),
            q === undefined ? undefined : ilike(sessions.title, `%${escapeLike(q)}%`),
            cursor === undefined
              ? undefined
              : or(
                  lt(sessions.lastEventAt, cursor.lastEventAt),
                  and(eq(sessions.lastEventAt, cursor.lastEventAt), lt(sessions.id, cursor.id)),
                ),
          ),
        )
        .orderBy(desc(sessions.lastEventAt), desc(sessions.id))
        .limit(limit);
      return rows.map(toRow);
    },
    async setArchived(id, archived) {
      await db
        .update(sessions)
        .set({ archivedAt: archived ? new Date() : null })
        .where(eq(sessions.id, id));
    },
    async softDelete(id) {
      await db.update(sessions).set({ deletedAt: new Date() }).where(eq(sessions.id, id));
    },
    async awake() {
      const rows = await db
        .select({ id: sessions.id })
        .from(sessions)
        .where(or(sessions.processAlive, ne(sessions.status, "idle")));
      return rows.map((row) => row.id);
    },
    async place(id) {
      const [row] = await db
        .select({ ownerId: sessions.ownerId, runnerId: sessions.runnerId, cwd: sessions.cwd })
        .from(sessions)
        .where(eq(sessions.id, id));
      return row?.runnerId ? { ...row, runnerId: row.runnerId } : null;
    },
    async ensureRunner(id) {
      await db.execute(
        sql`insert into runners (id, name, token_hash) values (${id}, ${id}, ${`shared:${id}`}) on conflict do nothing`,
      );
    },
  };
}

/** In a LIKE pattern these stand for others: a search means them literally. */
const escapeLike = (text: string): string =>
  text.replace(/[\\%_]/g, (character) => `\\${character}`);
