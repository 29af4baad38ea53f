/**
 * One session as Solid sees it, over the framework-free feed. Changes are shown once per frame,
 * however many came in it; the list of events is handed on as what was added, never as "the last".
 */
import { createMemo, createSignal, onCleanup, type Accessor } from "solid-js";
import {
  createSessionFeed,
  type Effects,
  type FrameSource,
  type HttpClient,
  type SessionFeed,
} from "@lodge/client";
import type { Activity } from "@lodge/protocol";

/** The feed's handle with reactive accessors. `events` grows in place: `version` tells that it did. */
export type Session = Omit<SessionFeed, "subscribe" | "close"> & {
  readonly version: Accessor<number>;
};

export type SessionOptions = {
  readonly sessionId: string;
  readonly source: FrameSource;
  readonly http: HttpClient;
  readonly effects: Effects;
  /** When to show what changed: the next frame, unless a test knows better. */
  readonly schedule?: (flush: () => void) => () => void;
};

export function createSession(options: SessionOptions): Session {
  const feed = createSessionFeed(options);
  const schedule = options.schedule ?? nextFrame;
  const [version, setVersion] = createSignal(0);
  let cancel: (() => void) | null = null;
  const unsubscribe = feed.subscribe(() => {
    cancel ??= schedule(() => {
      cancel = null;
      setVersion((before) => before + 1);
    });
  });
  onCleanup(() => {
    cancel?.();
    unsubscribe();
    feed.close();
  });
  /** The feed changes when it likes; what is seen of it changes with `version`. */
  const seen = <T>(read: () => T, equals: (a: T, b: T) => boolean = Object.is): Accessor<T> => {
    const value = createMemo(() => (version(), read()), undefined, { equals });
    return value;
  };

  const connection = seen(feed.connection);
  return {
    ...feed,
    state: seen(feed.state),
    status: seen(feed.status),
    activity: seen(feed.activity, isSameActivity),
    version,
    partial: seen(feed.partial),
    writing: seen(feed.writing),
    connection,
    connected: () => connection().kind === "live",
    presence: seen(feed.presence),
    processAlive: seen(feed.processAlive),
    usage: seen(feed.usage),
    error: seen(feed.error),
    hydrationPhase: seen(feed.hydrationPhase),
    hasEarlier: seen(feed.hasEarlier),
    outgoing: seen(feed.outgoing),
  };
}

/** A hidden page gets no frames: it catches up in one go when it is seen again. */
function nextFrame(flush: () => void): () => void {
  const frame = requestAnimationFrame(flush);
  return () => cancelAnimationFrame(frame);
}

/** Made anew by every derivation. */
const isSameActivity = (a: Activity, b: Activity) => JSON.stringify(a) === JSON.stringify(b);
