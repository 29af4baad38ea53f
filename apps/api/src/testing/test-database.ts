/** A database of its own for a test file: a clone of the run's migrated template. */
import { randomBytes } from "node:crypto";
import { describe, inject } from "vitest";
import { administer, withDatabase } from "./administer.ts";
import type { TestServer } from "./test-server.ts";

export type TestDatabase = AsyncDisposable & {
  readonly url: string;
  /** Close every connection to it, and drop it. */
  drop(): Promise<void>;
};

/** `describe` where there is a Postgres to test on; otherwise its tests are skipped. */
export const describeDatabase: typeof describe.skip = inject("postgres") ? describe : describe.skip;

export async function createTestDatabase(): Promise<TestDatabase> {
  const server: TestServer | null = inject("postgres");
  if (!server) throw new Error("no Postgres in this run: use describeDatabase");
  const name = `${server.template}_${randomBytes(4).toString("hex")}`;
  await administer(server.url, `create database ${name} template ${server.template}`);
  const drop = () => administer(server.url, `drop database if exists ${name} with (force)`);
  return { url: withDatabase(server.url, name), drop, [Symbol.asyncDispose]: drop };
}
