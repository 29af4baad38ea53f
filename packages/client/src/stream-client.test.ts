import { describe, expect, test } from "vitest";
import { encodeSseFrame, fold, type SessionEvent, type SessionListItem } from "@lodge/protocol";
import { createHttpClient } from "./http-client.ts";
import { createSessionFeed } from "./session-feed.ts";
import { createStreamClient } from "./stream-client.ts";
import { buildLog, drafts, serve, SESSION } from "./testing/build-log.ts";
import { makeFakeWorld } from "./testing/fake-world.ts";

const OTHER = "5e551011-0000-4000-8000-000000000002";
const hello = (streamId: string) => encodeSseFrame({ event: "hello", data: { streamId, now: 1 } });

async function setUp() {
  const world = makeFakeWorld();
  const http = createHttpClient({ baseUrl: "", effects: world.effects });
  const stream = createStreamClient({ http, effects: world.effects });
  await world.advance(0);
  const watch = (sessionId: string) =>
    createSessionFeed({ sessionId, source: stream, http, effects: world.effects });
  const frames = (log: readonly SessionEvent[], after: number) =>
    serve(log, after)
      .map((frame) => encodeSseFrame(frame))
      .join("");
  return { world, stream, watch, frames };
}

describe("watching", () => {
  test("what is asked for in one tick goes in one request, with each one's cursor", async () => {
    const { world, watch } = await setUp();
    watch(SESSION);
    watch(OTHER);
    world.last().stream().write(hello("s1"));
    await world.advance(0);
    expect(world.requests).toHaveLength(2);
    expect(world.last()).toMatchObject({
      method: "POST",
      path: "/api/stream/s1",
      body: { watch: { [SESSION]: 0, [OTHER]: 0 }, unwatch: [] },
    });
  });

  test("frames find their session; it is live with its snapshot", async () => {
    const { world, watch, frames } = await setUp();
    const feed = watch(SESSION);
    const log = buildLog([drafts.titled("T"), drafts.notice("n")]);
    const body = world.last().stream();
    body.write(hello("s1"));
    await world.advance(0);
    world.last().respond(200, { watching: [SESSION] });
    await world.settle();
    expect(feed.connected()).toBe(false);
    body.write(frames(log, 0));
    await world.settle();
    expect(feed.connected()).toBe(true);
    expect(feed.state()).toEqual(fold(log));
  });

  test("a new stream is told every session again, from where each is", async () => {
    const { world, watch, frames } = await setUp();
    const feed = watch(SESSION);
    const body = world.last().stream();
    body.write(hello("s1"));
    await world.advance(0);
    body.write(frames(buildLog([drafts.titled("T"), drafts.notice("n")]), 0));
    await world.settle();
    body.end();
    await world.settle();
    expect(feed.connection().kind).toBe("waiting");
    await world.advance(500);
    world.last().stream().write(hello("s2"));
    await world.advance(0);
    expect(world.last()).toMatchObject({
      path: "/api/stream/s2",
      body: { watch: { [SESSION]: 2 } },
    });
  });

  test("a closed feed is unwatched; watched again in the same tick it stays", async () => {
    const { world, watch } = await setUp();
    const feed = watch(SESSION);
    world.last().stream().write(hello("s1"));
    await world.advance(0);
    world.last().respond(200, { watching: [SESSION] });
    feed.close();
    await world.advance(0);
    expect(world.last().body).toEqual({ watch: {}, unwatch: [SESSION] });
    world.last().respond(200, { watching: [] });
    const again = watch(SESSION);
    await world.advance(0);
    again.close();
    watch(SESSION);
    await world.advance(0);
    expect(world.last().body).toEqual({ watch: { [SESSION]: 0 }, unwatch: [] });
  });

  test("a session that the server does not watch is not there for us", async () => {
    const { world, watch } = await setUp();
    const feed = watch(SESSION);
    const other = watch(OTHER);
    world.last().stream().write(hello("s1"));
    await world.advance(0);
    world.last().respond(200, { watching: [OTHER] });
    await world.settle();
    expect(feed.connection()).toEqual({ kind: "ended", reason: "session_gone" });
    expect(other.connection().kind).toBe("connecting");
  });

  test("a request that fails is made again; a stream the server lost is made anew, not in a loop", async () => {
    const { world, watch } = await setUp();
    watch(SESSION);
    world.last().stream().write(hello("s1"));
    await world.advance(0);
    world.last().fail();
    await world.advance(500);
    expect(world.last()).toMatchObject({
      path: "/api/stream/s1",
      body: { watch: { [SESSION]: 0 } },
    });
    world.last().respond(404, { error: { code: "not_found", message: "", requestId: "r" } });
    await world.settle();
    const before = world.requests.length;
    await world.advance(100);
    expect(world.requests).toHaveLength(before);
    await world.advance(1_000);
    expect(world.last().path).toBe("/api/stream");
  });

  test("one session's end is not the others'", async () => {
    const { world, watch, stream } = await setUp();
    const feed = watch(SESSION);
    const body = world.last().stream();
    body.write(hello("s1"));
    const data = JSON.stringify({ sessionId: SESSION, reason: "session_gone" });
    body.write(`event: closed\ndata: ${data}\n\n`);
    await world.settle();
    expect(feed.connection()).toEqual({ kind: "ended", reason: "session_gone" });
    expect(stream.connection().kind).toBe("live");
  });
});

describe("the list", () => {
  test("is to be fetched at every hello, and then follows", async () => {
    const { world, stream } = await setUp();
    const seen: string[] = [];
    stream.onHello(() => seen.push("hello"));
    const stop = stream.onListItem((item) => seen.push(item.title ?? ""));
    const item = { id: SESSION, title: "one" } as SessionListItem;
    const body = world.last().stream();
    body.write(hello("s1") + encodeSseFrame({ event: "list", data: item }));
    await world.settle();
    stop();
    body.write(encodeSseFrame({ event: "list", data: { ...item, title: "two" } }));
    await world.settle();
    expect(seen).toEqual(["hello", "one"]);
  });
});

test("a hello said again is a heartbeat, not a new stream", async () => {
  const { world, stream, watch } = await setUp();
  let hellos = 0;
  stream.onHello(() => hellos++);
  watch(SESSION);
  const body = world.last().stream();
  body.write(hello("s1"));
  await world.advance(0);
  body.write(hello("s1"));
  await world.advance(1_000);
  expect(hellos).toBe(1);
  expect(world.requests).toHaveLength(2);
});

test("a session that is deleted ends for whoever watches it", async () => {
  const { world, watch } = await setUp();
  const feed = watch(SESSION);
  const item = { id: SESSION, deleted: true } as SessionListItem;
  world
    .last()
    .stream()
    .write(hello("s1") + encodeSseFrame({ event: "list", data: item }));
  await world.settle();
  expect(feed.connection()).toEqual({ kind: "ended", reason: "session_gone" });
});

test("signed out is the end for all, and nothing is left behind", async () => {
  const { world, stream, watch } = await setUp();
  const feed = watch(SESSION);
  world.last().respond(401, { error: { code: "unauthenticated", message: "", requestId: "r" } });
  await world.settle();
  expect(stream.connection()).toEqual({ kind: "ended", reason: "signed_out" });
  expect(feed.connection()).toEqual({ kind: "ended", reason: "signed_out" });
  expect(world.timers()).toBe(0);
});
