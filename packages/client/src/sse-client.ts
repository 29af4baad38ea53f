/**
 * One stream of Server-Sent Events, kept alive: connects, tells frames and states, comes back after
 * a loss, and stops when the server means it. It knows nothing of sessions: where to begin is asked
 * of `path()` before every attempt.
 *
 * Silence is a loss (a dead socket need not say so): every byte winds the watchdog up again, and
 * the server's heartbeats are frequent enough for it.
 */
import { createParser } from "eventsource-parser";
import type { SseFrame, SseFrameName } from "@lodge/protocol";
import { ApiError } from "./api-error.ts";
import { backOffMs } from "./back-off.ts";
import type { ConnectionState, EndReason, LossCause } from "./connection-state.ts";
import type { Effects } from "./effects.ts";
import type { HttpClient } from "./http-client.ts";

/** Three heartbeats missed. */
export const SILENCE_MS = 45_000;
/** A stream that looks alive but was silent for so long is doubted when a tab wakes up. */
export const DOUBT_MS = 20_000;
/** A stream that lasted so long was a good one: the next loss starts to count at 1 again. */
export const SETTLED_MS = 10_000;
const RECONNECT = { firstMs: 500, capMs: 30_000 };

export type SseClientOptions = {
  readonly http: Pick<HttpClient, "open">;
  readonly effects: Effects;
  /** Path and query of the next attempt. */
  readonly path: () => string;
  readonly onFrame: (frame: SseFrame) => void;
  readonly onState: (state: ConnectionState) => void;
};

export type SseClient = {
  readonly state: () => ConnectionState;
  /** Drops what there is and connects anew, at once: a person asked, or the cursor moved. */
  readonly reconnect: () => void;
  /** The server contradicts itself about this stream: a loss like any other, with its back-off. */
  readonly doubt: () => void;
  /** The host woke up or has a network again: do not wait, and do not trust a silent stream. */
  readonly poke: () => void;
  /** Ends it from outside, for a reason of the caller's. */
  readonly end: (reason: EndReason) => void;
};

const FRAME_NAMES: Record<SseFrameName, true> = {
  snapshot: true,
  session: true,
  delta: true,
  heartbeat: true,
  hello: true,
  list: true,
  closed: true,
};

export function createSseClient(options: SseClientOptions): SseClient {
  const { effects } = options;
  let state: ConnectionState = { kind: "connecting", since: effects.now() };
  /** Losses in a row. */
  let losses = 0;
  let lastByteAt = effects.now();
  /** Of the attempt under way; aborting it makes everything it still says unheard. */
  let attempt: AbortController | null = null;
  let cancelRetry: (() => void) | null = null;
  let cancelWatchdog: (() => void) | null = null;

  const set = (next: ConnectionState) => {
    state = next;
    options.onState(next);
  };

  function clear() {
    attempt?.abort();
    attempt = null;
    cancelRetry?.();
    cancelRetry = null;
    cancelWatchdog?.();
    cancelWatchdog = null;
  }

  function connect() {
    clear();
    if (state.kind === "ended") return;
    const own = new AbortController();
    attempt = own;
    set({ kind: "connecting", since: effects.now() });
    wind();
    void read(own.signal);
  }

  /** The watchdog looks again when it could be time, instead of being set anew by every chunk. */
  function wind() {
    lastByteAt = effects.now();
    if (cancelWatchdog !== null) return;
    const look = () => {
      const left = lastByteAt + SILENCE_MS - effects.now();
      if (left > 0) cancelWatchdog = effects.setTimer(look, left);
      else lose("silent");
    };
    cancelWatchdog = effects.setTimer(look, SILENCE_MS);
  }

  async function read(signal: AbortSignal) {
    const isOurs = () => !signal.aborted;
    try {
      const response = await options.http.open(options.path(), {
        headers: { accept: "text/event-stream" },
        signal,
      });
      if (!isOurs()) return void response.body?.cancel().catch(() => undefined);
      if (!response.ok || response.body === null) return refuse(response);
      const parser = createParser({
        onEvent: (message) => {
          if (isOurs()) take(message.event, message.data);
        },
      });
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      while (isOurs()) {
        const { done, value } = await reader.read();
        if (!isOurs()) return;
        if (done) return lose("cut");
        wind();
        parser.feed(decoder.decode(value, { stream: true }));
      }
    } catch (error) {
      if (isOurs()) lose(error instanceof ApiError ? "network" : "cut");
    }
  }

  function take(name: string | undefined, data: string) {
    if (name === undefined || !Object.hasOwn(FRAME_NAMES, name)) return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      // Left out, so that one bad frame does not end the stream: a missing event shows as a gap.
      return;
    }
    if (typeof parsed !== "object" || parsed === null) return;
    if (state.kind !== "live") set({ kind: "live", since: effects.now() });
    const frame = { event: name, data: parsed } as SseFrame;
    // `closed` with a session is about that session only: the stream goes on.
    if (frame.event === "closed" && !("sessionId" in parsed)) return end(frame.data.reason);
    options.onFrame(frame);
  }

  function refuse(response: Response) {
    void response.body?.cancel().catch(() => undefined);
    if (response.status === 401) return end("signed_out");
    if (response.status === 404 || response.status === 410) return end("session_gone");
    const seconds = Number(response.headers.get("retry-after"));
    const mayPass = response.status === 408 || response.status === 429 || response.status >= 500;
    if (!mayPass && !response.ok) return end("refused");
    lose("refused", Number.isFinite(seconds) ? seconds * 1000 : 0);
  }

  function lose(cause: LossCause, atLeastMs = 0) {
    if (state.kind === "live" && effects.now() - state.since >= SETTLED_MS) losses = 0;
    losses += 1;
    clear();
    const isOnline = effects.isOnline();
    const delay = Math.max(
      atLeastMs,
      // A host may be wrong about having no network: look again now and then.
      isOnline ? backOffMs(RECONNECT, losses, effects.random()) : RECONNECT.capMs,
    );
    cancelRetry = effects.setTimer(connect, delay);
    set(
      isOnline
        ? { kind: "waiting", until: effects.now() + delay, attempt: losses, cause }
        : { kind: "offline" },
    );
  }

  function end(reason: EndReason) {
    clear();
    if (state.kind !== "ended") set({ kind: "ended", reason });
  }

  // Not at once: whoever makes this needs its handle before the first state is told.
  cancelRetry = effects.setTimer(connect, 0);

  return {
    state: () => state,
    reconnect: connect,
    doubt: () => lose("refused"),
    poke: () => {
      const isSilent = effects.now() - lastByteAt >= DOUBT_MS;
      if (state.kind === "waiting" || state.kind === "offline" || isSilent) connect();
    },
    end,
  };
}
