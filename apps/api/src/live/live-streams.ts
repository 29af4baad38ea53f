/**
 * The streams that are open, by their person: counted, found again by id, ended when their login or
 * their session is.
 */
import { randomUUID } from "node:crypto";
import type { Presence, Seq, SseFrame } from "@lodge/protocol";
import type { Session } from "@lodge/session";
import { BrowserStream } from "./browser-stream.ts";
import type { ListFeed } from "./list-feed.ts";
import { SessionView } from "./session-view.ts";
import { SseConnection, type SseEffects } from "./sse-response.ts";

const CHECK_LOGINS_MS = 2_000;

type Open = {
  readonly userId: string;
  readonly loginSecret: string;
  readonly connection: SseConnection;
  readonly sessionId: string | null;
  readonly browser: BrowserStream | null;
};
export type StreamOwner = { readonly userId: string; readonly loginSecret: string };

export type LiveStreams = ReturnType<typeof createLiveStreams>;

export function createLiveStreams(effects: {
  readonly sse: SseEffects;
  readonly listFeed: ListFeed;
  readonly presence: (session: Session) => Presence;
  /** The login still lets its person in: not ended, not expired, not disabled. */
  readonly isSignedIn: (loginSecret: string) => Promise<boolean>;
  /** Streams one person may hold open at once. */
  readonly maxStreams: number;
}) {
  const open = new Map<string, Open>();
  const closedFrame = (reason: "signed_out" | "session_gone"): readonly SseFrame[] => [
    { event: "closed", data: { reason } },
  ];
  const makeView = (session: Session, after: Seq, wake: () => void): SessionView =>
    new SessionView(session, after, {
      now: effects.sse.now,
      presence: () => effects.presence(session),
      wake,
    });

  const endLogin = (loginSecret: string): void => {
    for (const stream of open.values())
      if (stream.loginSecret === loginSecret) stream.connection.end(closedFrame("signed_out"));
  };
  // What ended elsewhere (a disabled person, a login that expired) ends here a little later. [H4]
  const stopChecking = effects.sse.every(CHECK_LOGINS_MS, () => {
    for (const secret of new Set([...open.values()].map((stream) => stream.loginSecret)))
      void effects.isSignedIn(secret).then(
        (isIn) => {
          if (!isIn) endLogin(secret);
        },
        // The store is away: that ends no login.
        () => undefined,
      );
  });

  return {
    /** false: this person has too many open already. */
    mayOpen(userId: string): boolean {
      let count = 0;
      for (const stream of open.values()) if (stream.userId === userId) count++;
      return count < effects.maxStreams;
    },

    openSession(owner: StreamOwner, session: Session, after: Seq): Response {
      const id = randomUUID();
      const view = makeView(session, after, () => connection.wake());
      const connection: SseConnection = new SseConnection({
        source: {
          next: () => view.next(),
          heartbeats: () => [view.heartbeat()],
          close: () => view.close(),
        },
        withId: true,
        effects: effects.sse,
        onClosed: () => open.delete(id),
      });
      open.set(id, { ...owner, connection, sessionId: session.id, browser: null });
      return connection.response;
    },

    openBrowser(owner: StreamOwner): Response {
      const id = randomUUID();
      const browser = new BrowserStream({
        streamId: id,
        now: effects.sse.now,
        wake: () => connection.wake(),
        subscribeList: (listener) => effects.listFeed.subscribe(owner.userId, listener),
      });
      const connection: SseConnection = new SseConnection({
        source: browser,
        withId: false,
        effects: effects.sse,
        onClosed: () => open.delete(id),
      });
      open.set(id, { ...owner, connection, sessionId: null, browser });
      return connection.response;
    },

    /** The stream of that id, if it is this person's. */
    findBrowser(userId: string, streamId: string) {
      const stream = open.get(streamId);
      if (!stream?.browser || stream.userId !== userId) return null;
      const { browser, connection } = stream;
      return {
        watch: (session: Session, after: Seq) =>
          browser.watch(makeView(session, after, () => connection.wake())),
        unwatch: (sessionId: string) => browser.unwatch(sessionId),
        get watching() {
          return browser.watching;
        },
      };
    },

    /** The login ended: what it opened is told so and ends. */
    endLogin,
    endUser(userId: string, except: string | null = null): void {
      for (const stream of open.values())
        if (stream.userId === userId && stream.loginSecret !== except)
          stream.connection.end(closedFrame("signed_out"));
    },
    endSession(sessionId: string): void {
      for (const stream of open.values()) {
        if (stream.sessionId === sessionId) stream.connection.end(closedFrame("session_gone"));
        stream.browser?.unwatch(sessionId);
      }
    },
    get count(): number {
      return open.size;
    },
    closeAll(): void {
      stopChecking();
      for (const stream of open.values()) stream.connection.close();
    },
  };
}
