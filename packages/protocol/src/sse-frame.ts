/**
 * What the api sends over Server-Sent Events.
 *
 * One session (`GET /api/sessions/:id/events`): `snapshot` first (`id: H`), then `session` frames
 * (`id: seq`) from `from` on, `delta` and `heartbeat` between them. Events up to H fill the
 * transcript, their effect is already in the snapshot's state; those after H are folded into it.
 *
 * One browser (`GET /api/stream`): the same frames, each with its `sessionId`, without `id:`, and
 * `list` frames for the session list. The cursors live in the client.
 */
import type { Delta } from "./delta.ts";
import type { Seq, SessionEvent, SessionId } from "./event.ts";
import type { SessionState } from "./state.ts";
import type { SessionSummary } from "./summary.ts";

/** Facts about transport, beside the log and never mixed into it. */
export type Presence = {
  /** null: this session has no runner of its own yet. */
  readonly runnerConnected: boolean | null;
  /** When the run's last line was seen, ms since the epoch. */
  readonly lastLineAt: number | null;
  /** The store takes acts of people. false: reading only, until it heals. */
  readonly storeHealthy: boolean;
};

export type SnapshotFrame = {
  readonly sessionId: SessionId;
  /** The head H. */
  readonly seq: Seq;
  readonly state: SessionState;
  /** The first event that follows. */
  readonly from: Seq;
  /** true: the cursor was unusable; whatever the viewer holds is to be dropped. */
  readonly reset: boolean;
  /** ms since the epoch, the api's clock: what `at` values are to be compared with. */
  readonly now: number;
  readonly presence: Presence;
};
export type HeartbeatFrame = {
  readonly sessionId: SessionId;
  readonly seq: Seq;
  readonly now: number;
  readonly presence: Presence;
};

export type SessionListItem = SessionSummary & {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly archived: boolean;
  readonly deleted: boolean;
  readonly cwd: string | null;
  readonly runnerId: string | null;
};

/** `event:` name → `data:`. */
export type SseFrameByName = {
  snapshot: SnapshotFrame;
  session: SessionEvent;
  delta: Delta;
  heartbeat: HeartbeatFrame;
  /** `GET /api/stream` only: its id, to be used with `POST /api/stream/:id`. */
  hello: { readonly streamId: string; readonly now: number };
  list: SessionListItem;
  /** The server ends this stream for good: do not reconnect. */
  closed: { readonly reason: "signed_out" | "session_gone" | "stream_limit" };
};
export type SseFrameName = keyof SseFrameByName;
export type SseFrame = {
  [N in SseFrameName]: { readonly event: N; readonly data: SseFrameByName[N]; readonly id?: Seq };
}[SseFrameName];

export const HEARTBEAT_SSE_MS = 15_000;
/** How many events a cold load or a reset replays at most. */
export const TAIL_EVENTS = 200;
/** A cursor further back than this is reset instead of replayed. */
export const REPLAY_EVENTS = 2_000;

/** One frame as text. JSON has no raw newline, so `data:` is always one line. */
export function encodeSseFrame(frame: SseFrame): string {
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}
