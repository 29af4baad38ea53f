/**
 * People, and the one-time secret that makes the first of them.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { count, eq, sql } from "drizzle-orm";
import { setup, users } from "../storage/schema.ts";
import type { Db } from "../storage/database.ts";
import type { Role } from "./actor.ts";

export type User = {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly disabled: boolean;
};
export type NewUser = {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
};

export type UserStore = {
  byLogin(login: string): Promise<User | null>;
  byId(id: string): Promise<User | null>;
  isEmpty(): Promise<boolean>;
  /** Makes the first user, once, whoever else tries at the same moment. */
  createFirst(user: NewUser): Promise<User | null>;
  /** A new one-time secret for the first admin, in place of any earlier one; null when there are users. */
  issueSetupSecret(expiresAt: Date): Promise<string | null>;
  /** Like createFirst, for whoever has the secret. */
  createFirstBySecret(secret: string, user: NewUser, now: Date): Promise<User | null>;
  setPassword(id: string, passwordHash: string): Promise<void>;
};

const SETUP_LOCK = 0x10d9e001;
const hashed = (secret: string): string =>
  createHash("sha256").update(`lodge-setup-v1:${secret}`).digest("hex");

export function createUserStore(db: Db): UserStore {
  const toUser = (row: typeof users.$inferSelect | undefined): User | null =>
    row
      ? {
          id: row.id,
          login: row.login,
          name: row.name,
          role: row.role,
          passwordHash: row.passwordHash,
          disabled: row.disabledAt !== null,
        }
      : null;
  type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
  const hasUsers = async (tx: Tx | Db): Promise<boolean> => {
    const [row] = await tx.select({ n: count() }).from(users);
    return (row?.n ?? 0) > 0;
  };
  const alone = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
      return work(tx);
    });
  const insertFirst = async (tx: Tx, user: NewUser): Promise<User | null> => {
    const [row] = await tx
      .insert(users)
      .values({ id: randomUUID(), ...user })
      .returning();
    await tx.delete(setup);
    return toUser(row);
  };
  return {
    async byLogin(login) {
      const [row] = await db.select().from(users).where(eq(users.login, login));
      return toUser(row);
    },
    async byId(id) {
      const [row] = await db.select().from(users).where(eq(users.id, id));
      return toUser(row);
    },
    isEmpty: async () => !(await hasUsers(db)),
    createFirst: (user) =>
      alone(async (tx) => ((await hasUsers(tx)) ? null : insertFirst(tx, user))),
    issueSetupSecret: (expiresAt) =>
      alone(async (tx) => {
        if (await hasUsers(tx)) return null;
        const secret = randomBytes(32).toString("base64url");
        await tx.delete(setup);
        await tx.insert(setup).values({ secretHash: hashed(secret), expiresAt });
        return secret;
      }),
    createFirstBySecret: (secret, user, now) =>
      alone(async (tx) => {
        if (await hasUsers(tx)) return null;
        const [row] = await tx.select().from(setup);
        if (!row || row.secretHash !== hashed(secret) || row.expiresAt <= now) return null;
        return insertFirst(tx, user);
      }),
    async setPassword(id, passwordHash) {
      await db.update(users).set({ passwordHash }).where(eq(users.id, id));
    },
  };
}
