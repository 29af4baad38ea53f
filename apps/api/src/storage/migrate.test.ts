import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTestDatabase,
  describeDatabase,
  type TestDatabase,
} from "../testing/test-database.ts";
import { openPool, type Sql } from "./database.ts";
import { migrate } from "./migrate.ts";

describeDatabase("the schema", () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = openPool(database.url, { name: "test", max: 1 });
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  test("migrating again changes nothing", async () => {
    const before = await sql`select count(*) from drizzle.__drizzle_migrations`;
    await migrate(database.url);
    expect(await sql`select count(*) from drizzle.__drizzle_migrations`).toEqual(before);
  });

  test("a page of one person's list among 5,000 sessions is read from the index alone", async () => {
    const owners = [randomUUID(), randomUUID()];
    for (const owner of owners)
      await sql`insert into users (id, login, name, role) values (${owner}, ${owner}, 'Ann', 'member')`;
    await sql`
      insert into sessions (id, owner_id, last_event_at, title)
      select gen_random_uuid(), case n % 20 when 0 then ${owners[0]!}::uuid else ${owners[1]!}::uuid end, n, 'session ' || n
      from generate_series(1, 5000) n`;
    await sql`analyze sessions`;
    const plan = await sql`
      explain (analyze, format json)
      select * from sessions
      where owner_id = ${owners[0]!} and deleted_at is null
        and (last_event_at, id) < (2500, ${randomUUID()})
      order by last_event_at desc, id desc limit 50`;
    const text = JSON.stringify(plan);
    expect(text).toContain("sessions_owner_recent_idx");
    expect(text).not.toMatch(/"Node Type":"(Sort|Seq Scan|Incremental Sort)"/u);
  });
});
