import { randomUUID } from "node:crypto";
import { describeEventStorage } from "@lodge/session/testing";
import { afterAll, beforeAll } from "vitest";
import {
  createTestDatabase,
  describeDatabase,
  type TestDatabase,
} from "../testing/test-database.ts";
import { openStorage, type OpenStorage } from "../testing/open-storage.ts";

describeDatabase("on Postgres", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  describeEventStorage("Postgres", async () => {
    let open: OpenStorage = await openStorage(database.url);
    const { createSession, readSummary, setMemoVersion } = open;
    return {
      storage: open.storage,
      createSession: () => createSession(randomUUID()),
      readSummary,
      setMemoVersion,
      async reopen() {
        await open.close();
        open = await openStorage(database.url);
        return open.storage;
      },
      close: () => open.close(),
    };
  });
});
