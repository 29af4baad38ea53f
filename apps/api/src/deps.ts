import type { Logger } from "pino";
import type { EventStorageAdapter, SessionManager } from "@lodge/session";
import type { Actor } from "./auth/actor.ts";
import type { LoginSessions } from "./auth/login-sessions.ts";
import type { Passwords } from "./auth/passwords.ts";
import type { LoginThrottle } from "./auth/login-throttle.ts";
import type { Env } from "./env.ts";
import type { Origins } from "./http/origins.ts";
import type { ListFeed } from "./live/list-feed.ts";
import type { LiveStreams } from "./live/live-streams.ts";
import type { RunnerRegistry } from "./runners/runner-registry.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { UserStore } from "./auth/user-store.ts";

/** Everything the rooms of the api are given. Assembled in main.ts, and in tests. */
export type Deps = {
  readonly env: Env;
  readonly origins: Origins;
  readonly log: Logger;
  readonly now: () => number;
  readonly users: UserStore;
  readonly logins: LoginSessions;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly sessions: SessionStore;
  readonly manager: SessionManager;
  readonly storage: EventStorageAdapter;
  readonly runners: RunnerRegistry;
  readonly listFeed: ListFeed;
  readonly streams: LiveStreams;
  /** Directory of the built web app; null: none is served. */
  readonly webRoot: string | null;
  /** This api is the writer of the log. */
  readonly isWriter: () => boolean;
};

export type AppEnv = {
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by requireUser on everything that is not public. */
    actor: Actor;
  };
};
