import { createRoot } from "solid-js";
import { afterEach, expect, test } from "vitest";
import { createHttpClient } from "@lodge/client";
import { makeFakeWorld } from "@lodge/client/testing";
import type { SessionListItem } from "@lodge/protocol";
import { createSessionList } from "../live/create-session-list.ts";
import { createSessionSearch, SEARCH_AFTER_MS } from "./create-session-search.ts";
import { orderSessions, passesFilter } from "./session-filter.ts";

const item = (id: string, facts: Partial<SessionListItem> = {}): SessionListItem => ({
  id,
  lastEventAt: 0,
  createdAt: 0,
  archived: false,
  deleted: false,
  cwd: null,
  runnerId: null,
  status: "idle",
  processAlive: false,
  activity: "idle",
  title: id,
  needsMe: 0,
  head: 1,
  lastError: null,
  costUsd: 0,
  ...facts,
});

test("what waits for a person stands first, then the newest", () => {
  const ids = orderSessions([
    item("old", { lastEventAt: 1 }),
    item("new", { lastEventAt: 9 }),
    item("asks", { lastEventAt: 5, needsMe: 1 }),
  ]).map(({ id }) => id);
  expect(ids).toEqual(["asks", "new", "old"]);
});

test("each filter lets through its own", () => {
  const asks = item("asks", { needsMe: 1, status: "streaming" });
  const gone = item("gone", { archived: true, needsMe: 1, status: "streaming" });
  expect((["active", "needsMe", "running"] as const).map((f) => passesFilter(asks, f))).toEqual([
    true,
    true,
    true,
  ]);
  expect(passesFilter(asks, "archived")).toBe(false);
  expect((["active", "needsMe", "running"] as const).some((f) => passesFilter(gone, f))).toBe(
    false,
  );
  expect(passesFilter(gone, "archived")).toBe(true);
  expect(passesFilter(item("x", { deleted: true }), "active")).toBe(false);
});

let dispose: () => void = () => undefined;
afterEach(() => dispose());

async function open() {
  const world = makeFakeWorld();
  let tell: (told: SessionListItem) => void = () => undefined;
  const stream = {
    onHello: () => () => undefined,
    onListItem: (listener: (told: SessionListItem) => void) => {
      const before = tell;
      tell = (told) => {
        before(told);
        listener(told);
      };
      return () => undefined;
    },
  };
  const http = createHttpClient({ baseUrl: "", effects: world.effects });
  const search = createRoot((end) => {
    dispose = end;
    return createSessionSearch({
      list: createSessionList({ http, stream }),
      http,
      stream,
      effects: world.effects,
    });
  });
  await world.settle();
  world.requests.at(-1)?.respond(200, { sessions: [item("a"), item("b")], cursor: null });
  await world.settle();
  return { world, search, tell: (told: SessionListItem) => tell(told) };
}
const idsOf = (search: { sessions: () => readonly SessionListItem[] }) =>
  search.sessions().map(({ id }) => id);

test("a search is asked once one has stopped typing, and only the last one counts", async () => {
  const { world, search } = await open();
  const before = world.requests.length;
  search.setQuery("p");
  search.setQuery("pa");
  await world.advance(SEARCH_AFTER_MS);
  await world.settle();
  expect(world.requests).toHaveLength(before + 1);
  expect(world.requests.at(-1)?.url).toContain("q=pa");
  const late = world.requests.at(-1);
  search.setQuery("par");
  await world.advance(SEARCH_AFTER_MS);
  await world.settle();
  late?.respond(200, { sessions: [item("wrong")], cursor: null });
  world.requests.at(-1)?.respond(200, { sessions: [item("parser")], cursor: null });
  await world.settle();
  expect(idsOf(search)).toEqual(["parser"]);
  search.setQuery("");
  expect(idsOf(search)).toEqual(["b", "a"]);
});

test("what was found is kept true by the feed; what was archived leaves", async () => {
  const { world, search, tell } = await open();
  search.setQuery("x");
  await world.advance(SEARCH_AFTER_MS);
  await world.settle();
  world.requests.at(-1)?.respond(200, { sessions: [item("x1"), item("x2")], cursor: null });
  await world.settle();
  tell(item("x1", { needsMe: 1 }));
  expect(search.sessions()[0]?.needsMe).toBe(1);
  tell(item("other"));
  expect(idsOf(search)).toEqual(["x1", "x2"]);
  tell(item("x1", { archived: true }));
  expect(idsOf(search)).toEqual(["x2"]);
});

test("the archive is asked of the server, and what comes back from it goes back to the list", async () => {
  const { world, search, tell } = await open();
  search.setFilter("archived");
  await world.advance(0);
  await world.settle();
  expect(world.requests.at(-1)?.url).toContain("archived=true");
  world.requests.at(-1)?.respond(200, { sessions: [item("z", { archived: true })], cursor: null });
  await world.settle();
  expect(idsOf(search)).toEqual(["z"]);
  tell(item("z"));
  expect(idsOf(search)).toEqual([]);
  search.setFilter("active");
  expect(idsOf(search)).toContain("z");
});
