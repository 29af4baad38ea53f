/**
 * One Postgres for a whole run of the tests, with one migrated template database in it. In this
 * order: `DATABASE_URL` (any database of a server where databases may be created); a container,
 * when `LODGE_TEST_POSTGRES=testcontainers`; the embedded one.
 */
import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "../storage/migrate.ts";
import { administer, withDatabase } from "./administer.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { TestServer } from "./test-server.ts";

type Server = { readonly url: string; readonly remove: () => Promise<void> };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  if (!server) {
    project.provide("postgres", null);
    return async () => {};
  }
  const template = `lodge_test_${randomBytes(4).toString("hex")}`;
  await administer(server.url, `create database ${template}`);
  await migrate(withDatabase(server.url, template));
  project.provide("postgres", { url: server.url, template } satisfies TestServer);
  return async () => {
    await administer(server.url, `drop database if exists ${template} with (force)`);
    await server.remove();
  };
}

async function startServer(): Promise<Server | null> {
  const given = process.env["DATABASE_URL"];
  if (given) return { url: given, remove: async () => {} };
  if (process.env["LODGE_TEST_POSTGRES"] === "testcontainers") return startContainer();
  return startEmbeddedPostgres();
}

async function startContainer(): Promise<Server | null> {
  const image = process.env["LODGE_TEST_POSTGRES_IMAGE"] ?? "postgres:18-alpine";
  try {
    const { GenericContainer, Wait } = await import("testcontainers");
    const password = randomBytes(16).toString("hex");
    const container = await new GenericContainer(image)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start();
    const url = `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
    return { url, remove: async () => void (await container.stop()) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `Skipping the tests that need Postgres: no container of ${image}: ${reason}\n`,
    );
    return null;
  }
}
