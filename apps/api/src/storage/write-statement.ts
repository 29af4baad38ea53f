/**
 * The one statement that writes the log: everything of some batches, or nothing.
 *
 * It holds the lease's row lock until its commit. A take-over changes that row, so it waits for a
 * statement under way, and one that comes later finds no row: it writes nothing. The lock leaves no
 * new version of the row behind, as counting the statements there would: under a long read
 * transaction (a backup) those could not be cleaned up, and every write would walk through them.
 *
 * Parameters are columns: text joined by newlines (JSON has none, ids have none, raw lines have
 * none) or arrays of numbers. No escaping on this side, no unescaping on the other.
 */
import { FOLD_VERSION, type RunId, type SessionId } from "@lodge/protocol";
import type { RunProgress } from "@lodge/session";
import { encodeBytes, type EncodedBatch } from "./encoded-batch.ts";

const lines = (n: number) => `string_to_array($${n}::text, E'\\n')`;
/** The same; an empty line is null. */
const linesOrNull = (n: number) => `string_to_array($${n}::text, E'\\n', '')`;
const bytes = (row: string) =>
  `case when ${row}.hex = 1 then decode(coalesce(${row}.bytes, ''), 'hex')
        else convert_to(coalesce(${row}.bytes, ''), 'UTF8') end`;

export const WRITE = `
with lease as materialized (
  select 1 from writer_lease where id = 1 and epoch = $1::bigint for no key update
),
written_events as (
  insert into events (session_id, seq, run_id, line, n, type, at, source, by_user, by_via,
                      inferred, sanitised, data)
  select e.session_id::uuid, e.seq, e.run_id::uuid, e.line, e.n, e.type, e.at, e.source, e.by_user,
         e.by_via, e.flags & 1 <> 0, e.flags & 2 <> 0, e.data::jsonb
  from lease, unnest(${lines(2)}, $3::int4[], ${linesOrNull(4)}, $5::int4[], $6::int2[], ${lines(7)},
                     $8::int8[], ${lines(9)}, ${linesOrNull(10)}, ${linesOrNull(11)}, $12::int2[],
                     ${lines(13)})
    as e(session_id, seq, run_id, line, n, type, at, source, by_user, by_via, flags, data)
),
written_raw as (
  insert into raw (run_id, dir, line, session_id, at, bytes)
  select r.run_id::uuid, r.dir, r.line, r.session_id::uuid, r.at, ${bytes("r")}
  from lease, unnest(${lines(14)}, ${lines(15)}, $16::int4[], ${lines(17)}, $18::int8[],
                     $19::int2[], ${lines(20)})
    as r(run_id, dir, line, session_id, at, hex, bytes)
  on conflict do nothing
),
written_blobs as (
  insert into blobs (session_id, id, media_type, size, bytes)
  select b.session_id::uuid, b.id, b.media_type, b.size, ${bytes("b")}
  from lease, unnest(${lines(21)}, ${lines(22)}, ${lines(23)}, $24::int4[], $25::int2[], ${lines(26)})
    as b(session_id, id, media_type, size, hex, bytes)
  on conflict do nothing
),
written_runs as (
  insert into runs (run_id, session_id, done_line, done_offset, replay_line, replay_offset)
  select p.* from lease,
    jsonb_to_recordset($27::text::jsonb) as p(run_id uuid, session_id uuid, done_line int4,
                                        done_offset int8, replay_line int4, replay_offset int8)
  on conflict (run_id) do update
    set done_line = excluded.done_line, done_offset = excluded.done_offset,
        replay_line = excluded.replay_line, replay_offset = excluded.replay_offset
    where runs.done_line <= excluded.done_line
),
written_summaries as (
  update sessions
  set status = s.status, process_alive = s.process_alive, activity = s.activity, title = s.title,
      needs_me = s.needs_me, head = s.head, last_event_at = s.last_event_at,
      last_error = s.last_error, cost_usd = s.cost_usd
  from lease,
    jsonb_to_recordset($28::text::jsonb) as s(session_id uuid, status text, process_alive boolean,
      activity text, title text, needs_me int4, head int4, last_event_at int8, last_error text,
      cost_usd float8)
  where sessions.id = s.session_id and sessions.head <= s.head
),
written_memos as (
  insert into memos (session_id, fold_version, seq, state)
  select m.session_id::uuid, ${FOLD_VERSION}, m.seq, m.state::jsonb
  from lease, unnest(${lines(29)}, $30::int4[], ${lines(31)}) as m(session_id, seq, state)
  on conflict (session_id) do update
    set fold_version = excluded.fold_version, seq = excluded.seq, state = excluded.state
    where memos.seq <= excluded.seq or memos.fold_version <> excluded.fold_version
)
select count(*)::int as held from lease`;

export function writeParameters(epoch: number, batches: readonly EncodedBatch[]): string[] {
  return [
    String(epoch),
    ...eventColumns(batches),
    ...rawColumns(batches),
    ...blobColumns(batches),
    JSON.stringify(progressRows(batches)),
    JSON.stringify(summaryRows(batches)),
    ...memoColumns(batches),
  ];
}

function eventColumns(batches: readonly EncodedBatch[]): string[] {
  const events = batches.flatMap((batch) => batch.events);
  return [
    joined(events, ({ event }) => event.sessionId),
    numbers(events, ({ event }) => event.seq),
    joined(events, ({ event }) => event.runId ?? ""),
    numbers(events, ({ line }) => line),
    numbers(events, ({ n }) => n),
    joined(events, ({ event }) => event.type),
    numbers(events, ({ event }) => Math.trunc(event.at)),
    joined(events, ({ event }) => event.source),
    joined(events, ({ event }) => event.by?.userId ?? ""),
    joined(events, ({ event }) => event.by?.via ?? ""),
    numbers(events, ({ event }) => (event.inferred ? 1 : 0) + (event.sanitised ? 2 : 0)),
    joined(events, ({ data }) => data),
  ];
}

function rawColumns(batches: readonly EncodedBatch[]): string[] {
  const rows = batches.flatMap(({ batch, raw }) =>
    raw.map((line) => ({ line, sessionId: batch.sessionId, bytes: encodeBytes(line.bytes) })),
  );
  return [
    joined(rows, ({ line }) => line.runId),
    joined(rows, ({ line }) => line.dir),
    numbers(rows, ({ line }) => line.line),
    joined(rows, ({ sessionId }) => sessionId),
    numbers(rows, ({ line }) => Math.trunc(line.at)),
    numbers(rows, (row) => (row.bytes.hex ? 1 : 0)),
    joined(rows, (row) => row.bytes.text),
  ];
}

function blobColumns(batches: readonly EncodedBatch[]): string[] {
  const rows = batches.flatMap(({ batch, blobs }) =>
    blobs.map((blob) => ({ blob, sessionId: batch.sessionId, bytes: encodeBytes(blob.bytes) })),
  );
  return [
    joined(rows, ({ sessionId }) => sessionId),
    joined(rows, ({ blob }) => blob.id),
    joined(rows, ({ blob }) => blob.mediaType),
    numbers(rows, ({ blob }) => blob.bytes.length),
    numbers(rows, (row) => (row.bytes.hex ? 1 : 0)),
    joined(rows, (row) => row.bytes.text),
  ];
}

/** One row per run, session or memo: the newest; a statement may not touch a row twice. */
function progressRows(batches: readonly EncodedBatch[]): unknown[] {
  const newest = new Map<RunId, { sessionId: SessionId; progress: RunProgress }>();
  for (const { batch, progress } of batches) {
    if (!progress) continue;
    const before = newest.get(progress.runId);
    if (!before || before.progress.done.line <= progress.done.line)
      newest.set(progress.runId, { sessionId: batch.sessionId, progress });
  }
  return [...newest.values()].map(({ sessionId, progress }) => ({
    run_id: progress.runId,
    session_id: sessionId,
    done_line: progress.done.line,
    done_offset: progress.done.offset,
    replay_line: progress.replay.line,
    replay_offset: progress.replay.offset,
  }));
}

function summaryRows(batches: readonly EncodedBatch[]): unknown[] {
  const newest = new Map(
    batches.flatMap(({ batch, summary }) => (summary ? [[batch.sessionId, summary] as const] : [])),
  );
  return [...newest].map(([sessionId, summary]) => ({
    session_id: sessionId,
    status: summary.status,
    process_alive: summary.processAlive,
    activity: summary.activity,
    title: storable(summary.title),
    needs_me: summary.needsMe,
    head: summary.head,
    last_event_at: Math.trunc(summary.lastEventAt),
    last_error: storable(summary.lastError),
    cost_usd: summary.costUsd,
  }));
}

function memoColumns(batches: readonly EncodedBatch[]): string[] {
  const newest = new Map(
    batches.flatMap(({ batch, memo }) => (memo ? [[batch.sessionId, memo] as const] : [])),
  );
  const rows = [...newest];
  return [
    joined(rows, ([sessionId]) => sessionId),
    numbers(rows, ([, memo]) => memo.seq),
    joined(rows, ([, memo]) => memo.json),
  ];
}

const storable = (text: string | null): string | null =>
  text === null ? null : text.replace(/[\0\p{Cs}]/gu, "\uFFFD");

const joined = <T>(rows: readonly T[], column: (row: T) => string): string =>
  rows.map(column).join("\n");

const numbers = <T>(rows: readonly T[], column: (row: T) => number | null): string =>
  `{${rows.map((row) => column(row) ?? "null").join(",")}}`;
