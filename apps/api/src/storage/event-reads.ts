/** Reading the log: its own few connections, so that a long history never waits behind writes. */
import {
  FOLD_VERSION,
  type Seq,
  type SessionEvent,
  type SessionId,
  type RunId,
  type SessionState,
} from "@lodge/protocol";
import type { Blob, RawLine, RunProgress } from "@lodge/session";
import type { Sql } from "./database.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "./event-row.ts";

const LARGEST_SEQ = 2_147_483_647;
const RAW_PAGE_LINES = 500;
const RAW_PAGE_BYTES = 4 * 1024 * 1024;
const PREPARED = { prepare: true } as const;

const EVENTS_BELOW = `select ${EVENT_COLUMNS} from events
  where session_id = $1::uuid and seq < $2::int4 order by seq desc limit $3::int4`;
const EVENTS_AFTER = `select ${EVENT_COLUMNS} from events
  where session_id = $1::uuid and seq > $2::int4 order by seq limit $3::int4`;
/** A page ends before the line that would make it too large, so one line may be as large as it likes. */
const RAW_PAGE = `select line, at, bytes from (
    select line, at, bytes, sum(octet_length(bytes)) over (order by line) - octet_length(bytes) as before
    from (select * from raw where run_id = $1::uuid and dir = $2 and line > $3::int4
          order by line limit ${RAW_PAGE_LINES}) page
  ) sized where before < ${RAW_PAGE_BYTES} order by line`;

export async function readBelow(
  sql: Sql,
  sessionId: SessionId,
  beforeSeq: Seq,
  limit: number,
): Promise<readonly SessionEvent[]> {
  const rows = await sql.unsafe<EventRow[]>(
    EVENTS_BELOW,
    [sessionId, clampSeq(beforeSeq), limit],
    PREPARED,
  );
  return rows.map((row) => rowToEvent(sessionId, row)).toReversed();
}

export async function readAfter(
  sql: Sql,
  sessionId: SessionId,
  after: Seq,
  limit: number,
): Promise<readonly SessionEvent[]> {
  const rows = await sql.unsafe<EventRow[]>(
    EVENTS_AFTER,
    [sessionId, clampSeq(after), limit],
    PREPARED,
  );
  return rows.map((row) => rowToEvent(sessionId, row));
}

export async function readMemo(sql: Sql, sessionId: SessionId): Promise<SessionState | null> {
  const [row] = await sql.unsafe<{ state: SessionState }[]>(
    "select state from memos where session_id = $1::uuid and fold_version = $2::int4",
    [sessionId, FOLD_VERSION],
    PREPARED,
  );
  return row?.state ?? null;
}

export async function readProgress(sql: Sql, runId: RunId): Promise<RunProgress | null> {
  const [row] = await sql.unsafe<
    { done_line: number; done_offset: string; replay_line: number; replay_offset: string }[]
  >(
    "select done_line, done_offset, replay_line, replay_offset from runs where run_id = $1::uuid",
    [runId],
    PREPARED,
  );
  if (!row) return null;
  return {
    runId,
    done: { line: row.done_line, offset: Number(row.done_offset) },
    replay: { line: row.replay_line, offset: Number(row.replay_offset) },
  };
}

export async function readBlob(sql: Sql, sessionId: SessionId, id: string): Promise<Blob | null> {
  const [row] = await sql.unsafe<{ media_type: string; bytes: Uint8Array }[]>(
    "select media_type, bytes from blobs where session_id = $1::uuid and id = $2",
    [sessionId, id],
    PREPARED,
  );
  return row ? { id, mediaType: row.media_type, bytes: row.bytes } : null;
}

export async function findInput(
  sql: Sql,
  sessionId: SessionId,
  inputId: string,
): Promise<Seq | null> {
  const [row] = await sql.unsafe<{ seq: Seq }[]>(
    `select seq from events where session_id = $1::uuid and data ->> 'inputId' = $2
     and type = 'input:queued'`,
    [sessionId, inputId],
    PREPARED,
  );
  return row?.seq ?? null;
}

export async function findResolution(
  sql: Sql,
  sessionId: SessionId,
  requestId: string,
): Promise<Seq | null> {
  const [row] = await sql.unsafe<{ seq: Seq | null }[]>(
    `select max(seq) as seq from events where session_id = $1::uuid and data ->> 'requestId' = $2
     and type = 'permission:resolved'`,
    [sessionId, requestId],
    PREPARED,
  );
  return row?.seq ?? null;
}

/** All directions of a run as they went, by time; within a direction by line, whatever the clocks said. */
export async function* readRaw(sql: Sql, runId: RunId): AsyncIterable<RawLine> {
  const streams = await Promise.all(
    (["in", "out", "err"] as const).map(async (dir) => {
      const lines = rawLines(sql, runId, dir);
      return { lines, head: (await lines.next()).value };
    }),
  );
  for (;;) {
    let first: (typeof streams)[number] | null = null;
    for (const stream of streams)
      if (stream.head && (!first?.head || stream.head.at < first.head.at)) first = stream;
    if (!first?.head) return;
    yield first.head;
    first.head = (await first.lines.next()).value;
  }
}

async function* rawLines(
  sql: Sql,
  runId: RunId,
  dir: RawLine["dir"],
): AsyncGenerator<RawLine, undefined> {
  for (let after = 0; ;) {
    const rows = await sql.unsafe<{ line: number; at: string; bytes: Uint8Array }[]>(
      RAW_PAGE,
      [runId, dir, after],
      PREPARED,
    );
    for (const row of rows) {
      yield { runId, dir, line: row.line, at: Number(row.at), bytes: row.bytes };
      after = row.line;
    }
    if (rows.length === 0) return undefined;
  }
}

/** Cursors may be Infinity; the column holds an int4. */
const clampSeq = (seq: Seq): Seq => Math.max(-1, Math.min(seq, LARGEST_SEQ));
