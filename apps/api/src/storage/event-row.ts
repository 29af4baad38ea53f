/** A row of `events`, and the event it holds. */
import type { Author, EventSource, RunId, Seq, SessionEvent, SessionId } from "@lodge/protocol";

export const EVENT_COLUMNS =
  "seq, run_id, type, at, source, by_user, by_via, inferred, sanitised, data";

export type EventRow = {
  readonly seq: Seq;
  readonly run_id: RunId | null;
  readonly type: string;
  /** bigint: the driver hands it over as text. */
  readonly at: string;
  readonly source: string;
  readonly by_user: string | null;
  readonly by_via: string | null;
  readonly inferred: boolean;
  readonly sanitised: boolean;
  readonly data: unknown;
};

/** The writer is the only one that inserts events, so a row is trusted to hold one. */
export function rowToEvent(sessionId: SessionId, row: EventRow): SessionEvent {
  const event = {
    seq: row.seq,
    sessionId,
    runId: row.run_id,
    at: Number(row.at),
    type: row.type,
    source: row.source as EventSource,
    by: row.by_user === null ? null : { userId: row.by_user, via: row.by_via as Author["via"] },
    ...(row.inferred ? { inferred: true } : {}),
    ...(row.sanitised ? { sanitised: true } : {}),
    data: row.data,
  };
  return event as SessionEvent;
}
