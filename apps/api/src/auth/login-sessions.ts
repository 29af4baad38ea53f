/**
 * Logins of browsers: Lucia behind two functions, and the ways to end them. Nothing else imports
 * Lucia.
 *
 * The database holds a hash of the cookie's secret, so that a copy of it lets nobody in. Lucia
 * slides the expiry; the absolute lifetime is ours, since it has none.
 */
import { createHash } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from "lucia";
import { loginSessions, users } from "../storage/schema.ts";
import type { Db } from "../storage/database.ts";
import type { Actor, Role } from "./actor.ts";

const IDLE = new TimeSpan(1, "d");
const ABSOLUTE_MS = 7 * 24 * 60 * 60_000;
/** Lucia's own ids: 25 random bytes in base 32. Anything else cannot be one and costs no query. */
const ID = /^[a-z0-9]{40}$/;

type UserAttributes = { login: string; name: string; role: Role; disabled: boolean };
type SessionAttributes = { createdAt: Date; userAgent: string | null };
declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseUserAttributes: UserAttributes;
    DatabaseSessionAttributes: SessionAttributes;
  }
}

export type LoginSessions = {
  /** A new login of this user: the Set-Cookie value. */
  create(userId: string, userAgent: string | null): Promise<{ readonly cookie: string }>;
  /** The person behind a cookie's secret, or null. `cookie` is set when the browser should renew its own. */
  validate(
    secret: string,
  ): Promise<{ readonly actor: Actor; readonly cookie: string | null } | null>;
  end(secret: string): Promise<void>;
  endAllOf(userId: string): Promise<void>;
  readonly cookieName: string;
  /** Set-Cookie value that makes the browser forget. */
  readonly blankCookie: string;
};

const hashed = (secret: string): string =>
  createHash("sha256").update(`lodge-login-v1:${secret}`).digest("hex");

export function createLoginSessions(db: Db, isHttps: boolean, now: () => number): LoginSessions {
  const lucia = new Lucia(adapter(db), {
    sessionExpiresIn: IDLE,
    sessionCookie: {
      // The prefix makes browsers insist on Secure, Path=/ and no Domain; it needs https.
      name: isHttps ? "__Host-lodge" : "lodge",
      attributes: { secure: isHttps, sameSite: "strict", path: "/" },
    },
    getUserAttributes: (attributes) => attributes,
    getSessionAttributes: (attributes) => attributes,
  });
  return {
    cookieName: lucia.sessionCookieName,
    blankCookie: lucia.createBlankSessionCookie().serialize(),
    async create(userId, userAgent) {
      const session = await lucia.createSession(userId, { createdAt: new Date(now()), userAgent });
      return { cookie: lucia.createSessionCookie(session.id).serialize() };
    },
    async validate(secret) {
      if (!ID.test(secret)) return null;
      const { session, user } = await lucia.validateSession(secret);
      if (!session || !user || user.disabled) return null;
      if (now() - session.createdAt.getTime() > ABSOLUTE_MS) {
        await lucia.invalidateSession(secret);
        return null;
      }
      const actor: Actor = {
        userId: user.id,
        login: user.login,
        name: user.name,
        role: user.role,
        via: "browser",
      };
      return {
        actor,
        cookie: session.fresh ? lucia.createSessionCookie(secret).serialize() : null,
      };
    },
    async end(secret) {
      if (ID.test(secret)) await lucia.invalidateSession(secret);
    },
    endAllOf: (userId) => lucia.invalidateUserSessions(userId),
  };
}

function adapter(db: Db): Adapter {
  const toSession = (secret: string, row: typeof loginSessions.$inferSelect): DatabaseSession => ({
    id: secret,
    userId: row.userId,
    expiresAt: row.expiresAt,
    attributes: { createdAt: row.createdAt, userAgent: row.userAgent },
  });
  const toUser = (row: typeof users.$inferSelect): DatabaseUser => ({
    id: row.id,
    attributes: {
      login: row.login,
      name: row.name,
      role: row.role,
      disabled: row.disabledAt !== null,
    },
  });
  return {
    async getSessionAndUser(secret) {
      const [row] = await db
        .select()
        .from(loginSessions)
        .innerJoin(users, eq(users.id, loginSessions.userId))
        .where(eq(loginSessions.id, hashed(secret)));
      return row ? [toSession(secret, row.login_sessions), toUser(row.users)] : [null, null];
    },
    // Lucia never asks for it here; a hash is no secret to give back.
    getUserSessions: () => Promise.resolve([]),
    async setSession(session) {
      await db.insert(loginSessions).values({
        id: hashed(session.id),
        userId: session.userId,
        expiresAt: session.expiresAt,
        createdAt: session.attributes.createdAt,
        userAgent: session.attributes.userAgent,
      });
    },
    async updateSessionExpiration(secret, expiresAt) {
      await db
        .update(loginSessions)
        .set({ expiresAt, lastSeenAt: new Date() })
        .where(eq(loginSessions.id, hashed(secret)));
    },
    async deleteSession(secret) {
      await db.delete(loginSessions).where(eq(loginSessions.id, hashed(secret)));
    },
    async deleteUserSessions(userId) {
      await db.delete(loginSessions).where(eq(loginSessions.userId, userId));
    },
    async deleteExpiredSessions() {
      await db.delete(loginSessions).where(and(lt(loginSessions.expiresAt, new Date())));
    },
  };
}
