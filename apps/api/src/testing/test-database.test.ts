import { expect, test } from "vitest";
import { openPool } from "../storage/database.ts";
import { createTestDatabase, describeDatabase } from "./test-database.ts";

describeDatabase("a test's database", () => {
  test("is migrated, empty and its own", async () => {
    await using one = await createTestDatabase();
    await using other = await createTestDatabase();
    const [first, second] = [one, other].map((database) =>
      openPool(database.url, { name: "test", max: 1 }),
    );
    await first!`insert into users (id, login, name, role) values (gen_random_uuid(), 'ann', 'Ann', 'admin')`;
    expect(await first!`select login from users`).toEqual([{ login: "ann" }]);
    expect(await second!`select login from users`).toEqual([]);
    await Promise.all([first!.end(), second!.end()]);
  });
});
