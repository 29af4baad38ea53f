/**
 * The one stream of a browser (`GET /api/stream`): the session list's feed, and every session that
 * is watched, over a single connection. A FrameSource like any other: each watcher keeps its own
 * cursor, and the stream is told of it anew whenever it (re)connects.
 */
import type { Seq, SessionId, SessionListItem, SseFrame } from "@lodge/protocol";
import { ApiError } from "./api-error.ts";
import { backOffMs } from "./back-off.ts";
import type { ConnectionState, EndReason } from "./connection-state.ts";
import type { Effects } from "./effects.ts";
import { isSessionFrame, type FrameSource, type FrameWatcher } from "./frame-source.ts";
import type { HttpClient } from "./http-client.ts";
import { createSseClient } from "./sse-client.ts";

export type StreamClient = FrameSource & {
  readonly connection: () => ConnectionState;
  /** The stream is (again) live: whoever shows a list fetches it, then applies what follows. */
  readonly onHello: (listener: () => void) => () => void;
  readonly onListItem: (listener: (item: SessionListItem) => void) => () => void;
  readonly onConnection: (listener: (state: ConnectionState) => void) => () => void;
  readonly reconnect: () => void;
  readonly poke: () => void;
  readonly close: () => void;
};

const RETRY_WATCH = { firstMs: 500, capMs: 10_000 };

export function createStreamClient(options: {
  readonly http: Pick<HttpClient, "open" | "watch">;
  readonly effects: Effects;
}): StreamClient {
  const { effects } = options;
  const watchers = new Map<SessionId, FrameWatcher>();
  const helloListeners = new Set<() => void>();
  const listListeners = new Set<(item: SessionListItem) => void>();
  const connectionListeners = new Set<(state: ConnectionState) => void>();

  /** null: no stream to say anything to. */
  let streamId: string | null = null;
  /** What the stream was not told yet. */
  let toWatch = new Set<SessionId>();
  let toUnwatch = new Set<SessionId>();
  let failures = 0;
  let cancelTell: (() => void) | null = null;

  const sse = createSseClient({
    http: options.http,
    effects,
    path: () => "/api/stream",
    onFrame,
    onState,
  });

  function onState(state: ConnectionState) {
    if (state.kind !== "live") {
      streamId = null;
      cancelTell?.();
      cancelTell = null;
      for (const watcher of watchers.values()) watcher.onConnection(state);
    }
    for (const listener of connectionListeners) listener(state);
  }

  function onFrame(frame: SseFrame) {
    if (frame.event === "hello") {
      // Said again it is a heartbeat, of a stream that carries no session.
      if (frame.data.streamId === streamId) return;
      streamId = frame.data.streamId;
      toWatch = new Set(watchers.keys());
      toUnwatch = new Set();
      failures = 0;
      tellSoon(0);
      for (const listener of helloListeners) listener();
    } else if (frame.event === "list") {
      if (frame.data.deleted) end(frame.data.id, "session_gone");
      for (const listener of listListeners) listener(frame.data);
    } else if (frame.event === "closed") {
      const { sessionId } = frame.data as { readonly sessionId?: SessionId };
      if (sessionId !== undefined) end(sessionId, frame.data.reason);
    } else if (isSessionFrame(frame)) {
      const watcher = watchers.get(frame.data.sessionId);
      // The snapshot is a session's "live": until then its watcher is still connecting.
      if (frame.event === "snapshot") watcher?.onConnection(sse.state());
      watcher?.onFrame(frame);
    }
  }

  function end(sessionId: SessionId, reason: EndReason) {
    const watcher = watchers.get(sessionId);
    watchers.delete(sessionId);
    watcher?.onConnection({ kind: "ended", reason });
  }

  /** Everything asked for in one tick goes in one request. */
  function tellSoon(delayMs: number) {
    cancelTell ??= effects.setTimer(() => {
      cancelTell = null;
      void tell();
    }, delayMs);
  }

  async function tell() {
    const id = streamId;
    if (id === null || (toWatch.size === 0 && toUnwatch.size === 0)) return;
    const asked = [...toWatch].filter((sessionId) => watchers.has(sessionId));
    const dropped = [...toUnwatch];
    toWatch = new Set();
    toUnwatch = new Set();
    const watch: Record<SessionId, Seq> = {};
    for (const sessionId of asked) watch[sessionId] = watchers.get(sessionId)?.cursor() ?? 0;
    try {
      const receipt = await options.http.watch(id, { watch, unwatch: dropped });
      failures = 0;
      if (receipt === undefined || id !== streamId) return;
      const watching = new Set(receipt.watching);
      for (const sessionId of asked) if (!watching.has(sessionId)) end(sessionId, "session_gone");
    } catch (error) {
      if (id === streamId) failToTell(error, asked, dropped);
    }
  }

  function failToTell(error: unknown, asked: readonly SessionId[], dropped: readonly SessionId[]) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 401) return sse.end("signed_out");
    // The stream we have in hand is not there any more for the server.
    if (status === 404 || status === 410) return sse.doubt();
    for (const sessionId of asked) toWatch.add(sessionId);
    for (const sessionId of dropped) if (!watchers.has(sessionId)) toUnwatch.add(sessionId);
    failures += 1;
    tellSoon(backOffMs(RETRY_WATCH, failures, effects.random()));
  }

  function askFor(sessionId: SessionId) {
    if (!watchers.has(sessionId)) return;
    toWatch.add(sessionId);
    toUnwatch.delete(sessionId);
    if (streamId !== null) tellSoon(0);
  }

  return {
    watch(sessionId, watcher) {
      if (watchers.has(sessionId)) throw new Error(`session ${sessionId} is watched already`);
      watchers.set(sessionId, watcher);
      askFor(sessionId);
      return {
        resync: () => askFor(sessionId),
        reconnect: sse.reconnect,
        close: () => {
          if (watchers.get(sessionId) !== watcher) return;
          watchers.delete(sessionId);
          toWatch.delete(sessionId);
          toUnwatch.add(sessionId);
          if (streamId !== null) tellSoon(0);
        },
      };
    },
    connection: sse.state,
    onHello: (listener) => subscribe(helloListeners, listener),
    onListItem: (listener) => subscribe(listListeners, listener),
    onConnection: (listener) => subscribe(connectionListeners, listener),
    reconnect: sse.reconnect,
    poke: sse.poke,
    close: () => sse.end("closed"),
  };
}

function subscribe<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
