import { createRoot } from "solid-js";
import { afterEach, expect, test } from "vitest";
import { createHttpClient } from "@lodge/client";
import { makeFakeWorld } from "@lodge/client/testing";
import type { SessionListItem } from "@lodge/protocol";
import { createSessionList } from "./create-session-list.ts";

const item = (
  id: string,
  lastEventAt: number,
  facts: Partial<SessionListItem> = {},
): SessionListItem => ({
  id,
  lastEventAt,
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

let dispose: () => void = () => undefined;
afterEach(() => dispose());

async function open() {
  const world = makeFakeWorld();
  let hello: () => void = () => undefined;
  let tell: (told: SessionListItem) => void = () => undefined;
  const list = createRoot((end) => {
    dispose = end;
    return createSessionList({
      http: createHttpClient({ baseUrl: "", effects: world.effects }),
      stream: {
        onHello: (listener) => {
          hello = listener;
          return () => undefined;
        },
        onListItem: (listener) => {
          tell = listener;
          return () => undefined;
        },
      },
    });
  });
  await world.settle();
  const answer = async (sessions: readonly SessionListItem[], cursor: string | null = null) => {
    world.last().respond(200, { sessions, cursor });
    await world.settle();
  };
  return {
    world,
    list,
    answer,
    hello: () => hello(),
    tell: (told: SessionListItem) => tell(told),
    ids: () => list.sessions().map((session) => session.id),
  };
}

test("newest activity first, and follows what is told", async () => {
  const { list, answer, tell, ids } = await open();
  expect(list.phase()).toBe("loading");
  await answer([item("b", 2), item("a", 1)]);
  expect(ids()).toEqual(["b", "a"]);
  tell(item("a", 3));
  expect(ids()).toEqual(["a", "b"]);
  tell(item("b", 4, { archived: true }));
  expect(ids()).toEqual(["a"]);
});

test("what is told during a fetch is newer than what the fetch brings", async () => {
  const { list, answer, tell } = await open();
  tell(item("a", 5, { needsMe: 1 }));
  await answer([item("a", 4)]);
  expect(list.sessions()[0]?.needsMe).toBe(1);
});

test("a row that is only updated stays the same object: its element keeps its focus", async () => {
  const { list, answer, tell } = await open();
  await answer([item("a", 1)]);
  const before = list.sessions()[0];
  tell(item("a", 2, { title: "new" }));
  expect(list.sessions()[0]).toBe(before);
  expect(before?.title).toBe("new");
});

test("after a reconnect, what is gone is gone, and what lies beyond the first page stays", async () => {
  const { answer, hello, world, ids, list } = await open();
  await answer([item("c", 3), item("b", 2)], "next");
  void list.loadMore();
  expect(world.last().path).toContain("cursor=next");
  await answer([item("a", 1)]);
  expect(ids()).toEqual(["c", "b", "a"]);
  hello();
  await answer([item("d", 4), item("b", 2)], "next");
  expect(ids()).toEqual(["d", "b", "a"]);
});

test("a first fetch that fails says so, and can be made again", async () => {
  const { list, world, answer, ids } = await open();
  world.last().fail();
  await world.settle();
  expect(list.phase()).toBe("failed");
  void list.reload();
  await answer([item("a", 1)]);
  expect(list.phase()).toBe("ready");
  expect(ids()).toEqual(["a"]);
});
