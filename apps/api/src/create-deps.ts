/**
 * Assembles the api from its parts, once the log is ours to write. The same for main.ts and for
 * tests; whoever calls gives the effects that differ.
 */
import { createHash, randomUUID } from "node:crypto";
import type { BlobSource, Presence, SessionListItem } from "@lodge/protocol";
import { SessionManager, type EventStorageAdapter, type Session } from "@lodge/session";
import type { Logger } from "pino";
import { createLoginSessions } from "./auth/login-sessions.ts";
import { createLoginThrottle } from "./auth/login-throttle.ts";
import { createPasswords, type Passwords } from "./auth/passwords.ts";
import { createUserStore } from "./auth/user-store.ts";
import type { Deps } from "./deps.ts";
import type { Env } from "./env.ts";
import { createOrigins } from "./http/origins.ts";
import { createListFeed } from "./live/list-feed.ts";
import { createLiveStreams } from "./live/live-streams.ts";
import { RunnerRegistry } from "./runners/runner-registry.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import type { Db } from "./storage/database.ts";

const COMMIT_DEADLINE_MS = 10_000;
const EVICT_AFTER_MS = 120_000;
const TICK_MS = 5_000;

export type Effects = {
  readonly now: () => number;
  readonly every: (ms: number, run: () => void) => () => void;
  readonly after: (ms: number, run: () => void) => () => void;
};

/** Timers that keep no process alive by themselves. */
export const realEffects: Effects = {
  now: () => Date.now(),
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

export function createDeps(options: {
  readonly env: Env;
  readonly log: Logger;
  readonly db: Db;
  readonly storage: EventStorageAdapter;
  readonly webRoot: string | null;
  readonly isWriter: () => boolean;
  readonly effects?: Effects;
  readonly passwords?: Passwords;
}): { readonly deps: Deps; readonly stop: () => void } {
  const { env, log, db, storage } = options;
  const effects = options.effects ?? realEffects;
  const sessions = createSessionStore(db);
  const listFeed = createListFeed();
  const report = (error: unknown, what: string): void => log.error({ err: error }, what);

  const runners = new RunnerRegistry({
    timers: effects,
    report,
    // Only what is alive in its session's log is wanted; the rest is over, or was never ours.
    unwanted: async (runs) => {
      const unwanted: string[] = [];
      for (const { runId, sessionId } of runs) {
        const place = await sessions.place(sessionId).catch((error: unknown) => {
          if (error instanceof Error && "code" in error && error.code === "22P02") return null;
          throw error;
        });
        const run = place ? (await manager.open(sessionId)).state.run : null;
        if (run?.runId !== runId || !run.alive) unwanted.push(runId);
      }
      return unwanted;
    },
    onChange: () => {},
    onNotice: ({ runId, kind, text }) => {
      const session = manager.findByRun(runId);
      session?.log.append([
        { type: "notice", source: "runner", runId, data: { kind, level: "warning", text } },
      ]);
    },
  });

  const manager: SessionManager = new SessionManager(
    {
      storage,
      adapter: (record) => runners.adapter(record.runnerId),
      now: effects.now,
      newId: randomUUID,
      hash: (content) => createHash("sha256").update(content).digest("hex"),
      blobBytes,
      toBase64: (bytes) => Buffer.from(bytes).toString("base64"),
      record: async (sessionId) => {
        const place = await sessions.place(sessionId);
        if (!place) return null;
        const owner = await users.byId(place.ownerId);
        return {
          userId: place.ownerId,
          cwd: place.cwd,
          runnerId: place.runnerId,
          allowBypass: owner?.role === "admin",
        };
      },
      report,
      after: effects.after,
    },
    {
      commitDeadlineMs: COMMIT_DEADLINE_MS,
      idleTimeoutMs: env.idleTimeoutMs,
      maxRuns: env.maxRuns,
      evictAfterMs: EVICT_AFTER_MS,
    },
  );

  const presence = (session: Session): Presence => ({
    runnerConnected: runners.isConnected(session.record.runnerId),
    lastLineAt: session.lastLineAt,
    storeHealthy: storage.healthy,
  });
  const users = createUserStore(db);
  const isHttps = env.publicUrl?.protocol === "https:";
  const logins = createLoginSessions(db, isHttps, effects.now);
  const streams = createLiveStreams({
    sse: effects,
    listFeed,
    presence,
    maxStreams: env.maxStreams,
    isSignedIn: async (secret) => (await logins.validate(secret)) !== null,
  });
  const unsubscribe = manager.onSummary((sessionId, summary) => {
    void sessions
      .get(sessionId)
      .then((row) => {
        if (!row) return;
        const { ownerId, ...rest } = row;
        // The row may have been read before the summary's commit was visible: what was told counts.
        const item: SessionListItem = { ...rest, ...summary };
        listFeed.publish(ownerId, item);
      })
      .catch((error: unknown) => report(error, "a change of the list was not told"));
  });
  const stopTicking = effects.every(TICK_MS, () => manager.tick());

  const deps: Deps = {
    env,
    origins: createOrigins(env.publicUrl),
    log,
    now: effects.now,
    users,
    logins,
    passwords: options.passwords ?? createPasswords(),
    throttle: createLoginThrottle(),
    sessions,
    manager,
    storage,
    runners,
    listFeed,
    streams,
    webRoot: options.webRoot,
    isWriter: options.isWriter,
  };
  return {
    deps,
    stop() {
      stopTicking();
      unsubscribe();
      streams.closeAll();
    },
  };
}

const blobBytes = (blob: BlobSource): Uint8Array => Buffer.from(blob.content, blob.encoding);
