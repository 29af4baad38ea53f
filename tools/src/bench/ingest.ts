/**
 * Sustained ingest through the event writer against a bare insert of the same rows (events and raw
 * lines) into the same Postgres, in turns, in one run. Budget: at least half.
 *
 * The bare insert is the quickest plain one: ready-made columns, a thousand rows per statement,
 * nothing checked, nothing folded beside it.
 */
import { randomUUID } from "node:crypto";
import { cpus } from "node:os";
import {
  migrate,
  openStorage,
  startEmbeddedPostgres,
  type OpenStorage,
  type Sql,
} from "@lodge/api/testing";
import { encodeUtf8, type SessionEvent } from "@lodge/protocol";
import type { Batch } from "@lodge/session";

const SESSIONS = 50;
const LINES = 10_000;
const ROUNDS = 15;
const CHUNK = 1_000;
const BUDGET = 0.5;
/** The reader of lines waits while more than this is queued. */
const BACKLOG = 16 * 1024 * 1024;

export async function benchIngest(): Promise<void> {
  const given = process.env["DATABASE_URL"];
  const postgres = given ? null : await startEmbeddedPostgres({ durable: true });
  try {
    const url = given ?? postgres?.url ?? "";
    await migrate(url);
    const open = await openStorage(url, { onTrouble: (trouble) => console.error(trouble) });
    await run(open);
    await open.close();
  } finally {
    await postgres?.remove();
  }
}

async function run(open: OpenStorage): Promise<void> {
  const [version] = await open.sql`select version()`;
  console.log(
    String(version?.["version"]).split(" on ")[0],
    `· ${cpus().length} × ${cpus()[0]?.model}`,
  );
  console.log(
    `${LINES} lines of ${SESSIONS} sessions a round: an event of 1 KB and a raw line of 1 KB each`,
  );
  const bare: number[] = [];
  const through: number[] = [];
  // The first round warms up and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = [await insertBare(open.sql), await ingest(open)] as const;
    if (round === 0) continue;
    bare.push(rates[0]);
    through.push(rates[1]);
    console.log(
      `round ${round}: bare ${perSecond(rates[0])}, writer ${perSecond(rates[1])}, ratio ${(rates[1] / rates[0]).toFixed(2)}`,
    );
  }
  const ratios = through.map((rate, n) => rate / (bare[n] ?? 0)).toSorted((a, b) => a - b);
  const middle = ratios[ROUNDS >> 1] ?? 0;
  console.log(
    `writer / bare: ${middle.toFixed(2)} (from ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}), budget ≥ ${BUDGET}: ${middle >= BUDGET ? "kept" : "MISSED"}`,
  );
  if (middle < BUDGET) process.exitCode = 1;
}

async function ingest({ storage, createSession }: OpenStorage): Promise<number> {
  const batches = await makeBatches(createSession);
  let wake = () => {};
  const stop = storage.onDurable(() => wake());
  const start = performance.now();
  for (const batch of batches) {
    storage.append(batch);
    while (storage.backlogBytes > BACKLOG)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  await storage.flush();
  stop();
  return (LINES / (performance.now() - start)) * 1_000;
}

async function insertBare(sql: Sql): Promise<number> {
  const batches = await makeBatches(async (id) => id);
  const chunks: { events: string[]; raw: string[] }[] = [];
  for (let at = 0; at < batches.length; at += CHUNK)
    chunks.push(columnsOf(batches.slice(at, at + CHUNK)));
  const start = performance.now();
  for (const { events, raw } of chunks)
    await sql.begin(async (transaction) => {
      await transaction.unsafe(BARE_EVENTS, events, { prepare: true });
      await transaction.unsafe(BARE_RAW, raw, { prepare: true });
    });
  return (LINES / (performance.now() - start)) * 1_000;
}

const column = (n: number) => `string_to_array($${n}::text, E'\\n')`;
const BARE_EVENTS = `
  insert into events (session_id, seq, run_id, line, n, type, at, source, data)
  select e.s::uuid, e.seq, e.r::uuid, e.line, 0, e.type, e.at, 'cli', e.data::jsonb
  from unnest(${column(1)}, $2::int4[], ${column(3)}, $4::int4[], ${column(5)}, $6::int8[], ${column(7)})
    as e(s, seq, r, line, type, at, data)`;
const BARE_RAW = `
  insert into raw (run_id, dir, line, session_id, at, bytes)
  select r.r::uuid, 'out', r.line, r.s::uuid, r.at, convert_to(r.bytes, 'UTF8')
  from unnest(${column(1)}, $2::int4[], ${column(3)}, $4::int8[], ${column(5)}) as r(r, line, s, at, bytes)`;

function columnsOf(batches: readonly Batch[]): { events: string[]; raw: string[] } {
  const events = batches.flatMap((batch) => batch.events);
  const raw = batches.flatMap((batch) =>
    batch.raw.map((line) => ({ ...line, sessionId: batch.sessionId })),
  );
  return {
    events: [
      events.map((event) => event.sessionId).join("\n"),
      `{${events.map((event) => event.seq).join(",")}}`,
      events.map((event) => event.runId).join("\n"),
      `{${events.map((event) => event.seq).join(",")}}`,
      events.map((event) => event.type).join("\n"),
      `{${events.map((event) => event.at).join(",")}}`,
      events.map((event) => JSON.stringify(event.data)).join("\n"),
    ],
    raw: [
      raw.map((line) => line.runId).join("\n"),
      `{${raw.map((line) => line.line).join(",")}}`,
      raw.map((line) => line.sessionId).join("\n"),
      `{${raw.map((line) => line.at).join(",")}}`,
      raw.map((line) => Buffer.from(line.bytes).toString()).join("\n"),
    ],
  };
}

const WORDS =
  'the log is the truth and what was seen is committed before anyone reads "quoted" or\tindented '.split(
    " ",
  );

/** What a session of the CLI looks like to the store: a line, its event, its position, its summary. */
async function makeBatches(createSession: (id: string) => Promise<unknown>): Promise<Batch[]> {
  const sessions = Array.from({ length: SESSIONS }, () => ({
    id: randomUUID(),
    runId: randomUUID(),
    seq: 0,
  }));
  for (const { id } of sessions) await createSession(id);
  const batches: Batch[] = [];
  for (let n = 0; n < LINES; n++) {
    const session = sessions[n % SESSIONS];
    if (!session) continue;
    const seq = ++session.seq;
    const at = 1_700_000_000_000 + n;
    const text = Array.from(
      { length: 130 },
      (_, word) => WORDS[(n * 7 + word * word) % WORDS.length],
    ).join(" ");
    const event = {
      seq,
      sessionId: session.id,
      runId: session.runId,
      at,
      type: "content",
      source: "cli",
      by: null,
      data: {
        messageId: `msg_${n}`,
        blocks: [{ type: "text", text }],
        model: "claude-sonnet",
        parentToolUseId: null,
        usage: {
          inputTokens: n,
          outputTokens: 12,
          cacheReadTokens: 20_000,
          cacheCreationTokens: 0,
        },
      },
    } satisfies SessionEvent;
    const line = JSON.stringify({
      type: "assistant",
      session_id: session.id,
      uuid: randomUUID(),
      message: event.data,
    });
    const position = { line: seq, offset: seq * line.length };
    batches.push({
      sessionId: session.id,
      events: [event],
      origin: { runId: session.runId, line: seq },
      raw: [{ runId: session.runId, dir: "out", line: seq, at, bytes: encodeUtf8(line) }],
      blobs: [],
      progress: { runId: session.runId, done: position, replay: position },
      summary: {
        status: "streaming",
        processAlive: true,
        activity: "responding",
        title: "A session",
        needsMe: 0,
        head: seq,
        lastEventAt: at,
        lastError: null,
        costUsd: n / 1_000,
      },
      memo: null,
    });
  }
  return batches;
}

const perSecond = (rate: number) => `${Math.round(rate).toLocaleString("en")} lines/s`;
