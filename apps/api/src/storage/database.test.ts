import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase, describeDatabase } from "../testing/test-database.ts";
import { openDatabase } from "./database.ts";
import { apiTokens, users } from "./schema.ts";

describeDatabase("the house's database", () => {
  test("arrays, times and missing values come back as they went in", async () => {
    await using database = await createTestDatabase();
    const { db, close } = openDatabase(database.url);
    const user = {
      id: randomUUID(),
      login: "ann",
      name: 'Ann "A" O\'Neil',
      role: "admin" as const,
    };
    await db.insert(users).values(user);
    const scopes = ["sessions", 'a,b "c" {d}', "null", ""];
    const expiresAt = new Date("2030-01-02T03:04:05.678Z");
    const token = { id: randomUUID(), userId: user.id, name: "ci", hash: "h", scopes, expiresAt };
    await db.insert(apiTokens).values(token);
    const [found] = await db
      .select()
      .from(apiTokens)
      .where(inArray(apiTokens.id, [token.id]));
    expect(found).toMatchObject({ ...token, lastUsedAt: null });
    expect(found?.createdAt).toBeInstanceOf(Date);
    expect(await db.select().from(users).where(eq(users.id, user.id))).toMatchObject([
      { ...user, passwordHash: null, disabledAt: null },
    ]);
    await close();
  });

  test("logins are one whatever their case", async () => {
    await using database = await createTestDatabase();
    const { db, close } = openDatabase(database.url);
    const add = (login: string) =>
      db.insert(users).values({ id: randomUUID(), login, name: "Ann", role: "member" });
    await add("Ann");
    await expect(add("aNN")).rejects.toThrow();
    await close();
  });
});
