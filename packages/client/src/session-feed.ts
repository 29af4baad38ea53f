/**
 * One session as a front end has it: what is shown (the log, and what is still on its way to it)
 * and what can be done. What is shown is the log and nothing but the log; the one thing beside it
 * is an input on its way, shown as sending until the log has it, by its id, and never twice.
 */
import {
  deriveActivity,
  deriveStatus,
  type Activity,
  type AnswerBody,
  type PartialBlock,
  type PartialMessage,
  type Presence,
  type SessionEvent,
  type SessionId,
  type SessionState,
  type SessionStatus,
  type UsageState,
} from "@lodge/protocol";
import { backOffMs } from "./back-off.ts";
import type { ConnectionState } from "./connection-state.ts";
import type { Effects } from "./effects.ts";
import type { FrameSource, SessionFrame } from "./frame-source.ts";
import { createHistoryPager } from "./history-pager.ts";
import type { ActReceipt, HttpClient, StopReceipt } from "./http-client.ts";
import { createOutbox, type Outgoing, type SendOptions } from "./outbox.ts";
import { SessionLog } from "./session-log.ts";

export type SessionFeedOptions = {
  readonly sessionId: SessionId;
  readonly source: FrameSource;
  readonly http: Pick<HttpClient, "send" | "stop" | "answer" | "withdraw" | "history">;
  readonly effects: Effects;
};

export type SessionFeed = {
  readonly sessionId: SessionId;
  readonly state: () => SessionState;
  readonly status: () => SessionStatus;
  readonly activity: () => Activity;
  /** Without a gap, oldest first; appended to in place within one `generation`. */
  readonly events: () => readonly SessionEvent[];
  /** Rises when `events` was rebuilt or added to in front. */
  readonly generation: () => number;
  /** The message being written, whole. */
  readonly partial: () => PartialMessage | null;
  /** The blocks of it that the log does not have yet: what is shown below the log. */
  readonly writing: () => readonly PartialBlock[];
  readonly connection: () => ConnectionState;
  readonly connected: () => boolean;
  readonly presence: () => Presence | null;
  readonly processAlive: () => boolean;
  readonly usage: () => UsageState;
  /** The session's last error, in words; null: none. */
  readonly error: () => string | null;
  /** "hydrating" until everything up to the first snapshot's head is held, then "ready" for good. */
  readonly hydrationPhase: () => "hydrating" | "ready";
  /** What `at` of events is to be compared with: the server's clock, as far as it is known. */
  readonly serverNow: () => number;
  readonly hasEarlier: () => boolean;
  readonly outgoing: () => readonly Outgoing[];

  readonly send: (input: string, options?: SendOptions) => string;
  readonly retrySend: (inputId: string) => void;
  /** Forgets an input that failed to be sent; its text is in the result, for the composer. */
  readonly discardSend: (inputId: string) => string | null;
  readonly stop: (scope?: "turn" | "run") => Promise<StopReceipt>;
  readonly answer: (requestId: string, body: AnswerBody) => Promise<ActReceipt>;
  readonly withdraw: (inputId: string) => Promise<void>;
  /** Loads what comes before; calls made meanwhile share it. Resolves to whether there is more. */
  readonly fetchHistory: (limit?: number) => Promise<boolean>;
  readonly reconnect: () => void;
  /** Takes an event that came another way; one already held changes nothing. */
  readonly injectEvent: (event: SessionEvent) => void;
  /** Called after every change, at once; the result ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
};

const RESYNC = { firstMs: 500, capMs: 30_000 };
/** Holes further apart than this have nothing to do with each other. */
const HOLE_MEMORY_MS = 60_000;

export function createSessionFeed(options: SessionFeedOptions): SessionFeed {
  const { sessionId, source, http, effects } = options;
  const log = new SessionLog();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const outbox = createOutbox({
    sessionId,
    http,
    effects,
    cursor: () => log.cursor,
    onChange: notify,
  });
  const pager = createHistoryPager({ sessionId, http, log, onChange: notify });

  let connection: ConnectionState = { kind: "connecting", since: effects.now() };
  let clockOffsetMs = 0;
  let holes = 0;
  let lastHoleAt = Number.NEGATIVE_INFINITY;
  let cancelResync: (() => void) | null = null;

  function onFrame(frame: SessionFrame) {
    if (frame.event === "snapshot" || frame.event === "heartbeat") {
      clockOffsetMs = frame.data.now - effects.now();
    }
    const taken = log.take(frame);
    if (taken === "hole") resyncSoon();
    if (taken === "ignored") return;
    if (frame.event === "session") outbox.settle(frame.data);
    if (frame.event === "snapshot") outbox.settleAll(log.state);
    outbox.settleUpTo(log.cursor);
    notify();
  }

  /** The first hole is mended at once; a server that keeps making them is not asked in a loop. */
  function resyncSoon() {
    holes = effects.now() - lastHoleAt < HOLE_MEMORY_MS ? holes + 1 : 0;
    lastHoleAt = effects.now();
    cancelResync?.();
    const delay = holes === 0 ? 0 : backOffMs(RESYNC, holes, effects.random());
    cancelResync = effects.setTimer(() => watch.resync(), delay);
  }

  function onConnection(next: ConnectionState) {
    connection = next;
    if (next.kind !== "live") log.expectSnapshot();
    notify();
  }

  const watch = source.watch(sessionId, { cursor: () => log.cursor, onFrame, onConnection });

  return {
    sessionId,
    state: () => log.state,
    status: () => deriveStatus(log.state),
    activity: () => deriveActivity(log.state),
    events: () => log.events,
    generation: () => log.generation,
    partial: () => log.partial,
    writing: () => log.writing,
    connection: () => connection,
    connected: () => connection.kind === "live",
    presence: () => log.presence,
    processAlive: () => log.state.run?.alive ?? false,
    usage: () => log.state.usage,
    error: () => log.state.lastError?.message ?? null,
    hydrationPhase: () => (log.isFilled ? "ready" : "hydrating"),
    serverNow: () => effects.now() + clockOffsetMs,
    hasEarlier: () => log.hasEarlier,
    outgoing: outbox.items,

    send: outbox.send,
    retrySend: outbox.retry,
    discardSend: outbox.discard,
    stop: (scope) => http.stop(sessionId, scope === undefined ? {} : { scope }),
    answer: (requestId, body) => http.answer(sessionId, requestId, body),
    withdraw: (inputId) => http.withdraw(sessionId, inputId),
    fetchHistory: pager.fetch,
    reconnect: watch.reconnect,
    injectEvent: (event) => onFrame({ event: "session", data: event }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      cancelResync?.();
      outbox.close();
      watch.close();
      listeners.clear();
    },
  };
}
