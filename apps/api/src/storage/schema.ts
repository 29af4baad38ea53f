/**
 * The database, as drizzle sees it. SQL migrations are generated from this file (`npm run
 * db:generate`), checked in, and never edited afterwards.
 *
 * The log's own tables (events, raw, blobs, runs, memos) carry no foreign keys: one trigger per
 * inserted row is what ingest would mostly do, and a session's rows are deleted together anyway.
 * Times of the log are the log's own milliseconds (bigint); times of the house are timestamptz.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const millis = (name: string) => bigint(name, { mode: "number" });
const nowMillis = sql`(extract(epoch from now()) * 1000)::bigint`;

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    login: text("login").notNull(),
    name: text("name").notNull(),
    role: text("role", { enum: ["member", "admin"] }).notNull(),
    passwordHash: text("password_hash"),
    disabledAt: time("disabled_at"),
    createdAt: time("created_at").notNull().defaultNow(),
  },
  (t) => [
    // Logins are told apart without case: "Ann" and "ann" are one person.
    uniqueIndex("users_login_key").on(sql`lower(${t.login})`),
    check("users_role_check", sql`${t.role} in ('member', 'admin')`),
  ],
);

export const loginSessions = pgTable(
  "login_sessions",
  {
    /** Hash of the secret in the cookie: the table alone lets nobody in. */
    id: text("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: time("expires_at").notNull(),
    createdAt: time("created_at").notNull().defaultNow(),
    lastSeenAt: time("last_seen_at").notNull().defaultNow(),
    userAgent: text("user_agent"),
  },
  (t) => [
    index("login_sessions_user_idx").on(t.userId),
    index("login_sessions_expiry_idx").on(t.expiresAt),
  ],
);

export const apiTokens = pgTable(
  "api_tokens",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    hash: text("hash").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: time("created_at").notNull().defaultNow(),
    expiresAt: time("expires_at"),
    lastUsedAt: time("last_used_at"),
  },
  (t) => [uniqueIndex("api_tokens_hash_key").on(t.hash), index("api_tokens_user_idx").on(t.userId)],
);

/** The one-time secret that makes the first admin. At most one row. */
export const setup = pgTable(
  "setup",
  {
    id: smallint("id").primaryKey().default(1),
    secretHash: text("secret_hash").notNull(),
    expiresAt: time("expires_at").notNull(),
    createdAt: time("created_at").notNull().defaultNow(),
  },
  (t) => [check("setup_single_check", sql`${t.id} = 1`)],
);

export const runners = pgTable(
  "runners",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    tokenHash: text("token_hash").notNull(),
    /** The newest connection's number: an older one is fenced. */
    lastGeneration: bigint("last_generation", { mode: "number" }).notNull().default(0),
    createdAt: time("created_at").notNull().defaultNow(),
    lastSeenAt: time("last_seen_at"),
    disabledAt: time("disabled_at"),
  },
  (t) => [
    uniqueIndex("runners_name_key").on(t.name),
    uniqueIndex("runners_token_key").on(t.tokenHash),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id),
    runnerId: text("runner_id").references(() => runners.id),
    cwd: text("cwd"),
    createdAt: time("created_at").notNull().defaultNow(),
    archivedAt: time("archived_at"),
    deletedAt: time("deleted_at"),
    // The summary: a projection of the fold, written by the event writer only.
    status: text("status").notNull().default("idle"),
    processAlive: boolean("process_alive").notNull().default(false),
    activity: text("activity").notNull().default("idle"),
    title: text("title"),
    needsMe: integer("needs_me").notNull().default(0),
    head: integer("head").notNull().default(0),
    lastEventAt: millis("last_event_at").notNull().default(nowMillis),
    lastError: text("last_error"),
    costUsd: doublePrecision("cost_usd").notNull().default(0),
  },
  (t) => [
    // Lists, newest first, read backwards; the cursor is (last_event_at, id).
    index("sessions_owner_recent_idx")
      .on(t.ownerId, t.lastEventAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index("sessions_recent_idx")
      .on(t.lastEventAt, t.id)
      .where(sql`${t.deletedAt} is null`),
  ],
);

export const events = pgTable(
  "events",
  {
    sessionId: uuid("session_id").notNull(),
    seq: integer("seq").notNull(),
    runId: uuid("run_id"),
    /** The line of the run's stdout it came from, and its place among that line's events. */
    line: integer("line"),
    n: smallint("n"),
    type: text("type").notNull(),
    at: millis("at").notNull(),
    source: text("source").notNull(),
    byUser: text("by_user"),
    byVia: text("by_via"),
    inferred: boolean("inferred").notNull().default(false),
    sanitised: boolean("sanitised").notNull().default(false),
    data: jsonb("data").notNull(),
  },
  (t) => [
    primaryKey({ name: "events_pkey", columns: [t.sessionId, t.seq] }),
    uniqueIndex("events_line_key")
      .on(t.runId, t.line, t.n)
      .where(sql`${t.line} is not null`),
    uniqueIndex("events_input_key")
      .on(t.sessionId, sql`(${t.data} ->> 'inputId')`)
      .where(sql`${t.type} = 'input:queued'`),
    uniqueIndex("events_resolution_key")
      .on(t.sessionId, sql`(${t.data} ->> 'requestId')`, t.runId)
      .where(sql`${t.type} = 'permission:resolved'`),
    uniqueIndex("events_run_end_key")
      .on(t.runId)
      .where(sql`${t.type} = 'run:end'`),
    check("events_seq_check", sql`${t.seq} > 0`),
  ],
);

export const raw = pgTable(
  "raw",
  {
    runId: uuid("run_id").notNull(),
    dir: text("dir").notNull(),
    line: integer("line").notNull(),
    sessionId: uuid("session_id").notNull(),
    at: millis("at").notNull(),
    bytes: bytea("bytes").notNull(),
  },
  (t) => [
    primaryKey({ name: "raw_pkey", columns: [t.runId, t.dir, t.line] }),
    check("raw_dir_check", sql`${t.dir} in ('in', 'out', 'err')`),
  ],
);

export const runs = pgTable(
  "runs",
  {
    runId: uuid("run_id").primaryKey(),
    sessionId: uuid("session_id").notNull(),
    runnerId: text("runner_id"),
    doneLine: integer("done_line").notNull().default(0),
    doneOffset: bigint("done_offset", { mode: "number" }).notNull().default(0),
    replayLine: integer("replay_line").notNull().default(0),
    replayOffset: bigint("replay_offset", { mode: "number" }).notNull().default(0),
  },
  (t) => [index("runs_session_idx").on(t.sessionId)],
);

export const blobs = pgTable(
  "blobs",
  {
    sessionId: uuid("session_id").notNull(),
    id: text("id").notNull(),
    mediaType: text("media_type").notNull(),
    size: integer("size").notNull(),
    bytes: bytea("bytes").notNull(),
  },
  (t) => [primaryKey({ name: "blobs_pkey", columns: [t.sessionId, t.id] })],
);

/** The fold up to `seq`: a cache of the log, thrown away when the fold's version changes. */
export const memos = pgTable("memos", {
  sessionId: uuid("session_id").primaryKey(),
  foldVersion: integer("fold_version").notNull(),
  seq: integer("seq").notNull(),
  state: jsonb("state").notNull(),
});

/** Who may write the log. One row; its epoch is checked, under a row lock, by every write. */
export const writerLease = pgTable(
  "writer_lease",
  {
    id: smallint("id").primaryKey().default(1),
    epoch: bigint("epoch", { mode: "number" }).notNull(),
    holder: text("holder").notNull(),
    renewedAt: time("renewed_at").notNull().defaultNow(),
  },
  (t) => [check("writer_lease_single_check", sql`${t.id} = 1`)],
);
