import { describe, expect, test } from "vitest";
import { encodeSseFrame, type SseFrame } from "@lodge/protocol";
import type { ConnectionState } from "./connection-state.ts";
import { createHttpClient } from "./http-client.ts";
import { createSseClient, DOUBT_MS, SETTLED_MS, SILENCE_MS } from "./sse-client.ts";
import { makeFakeWorld } from "./testing/fake-world.ts";

async function setUp() {
  const world = makeFakeWorld();
  const states: ConnectionState[] = [];
  const frames: SseFrame[] = [];
  let cursor = 0;
  const client = createSseClient({
    http: createHttpClient({ baseUrl: "", effects: world.effects }),
    effects: world.effects,
    path: () => `/api/x?after=${cursor}`,
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
  });
  await world.advance(0);
  return {
    world,
    client,
    frames,
    kinds: () => states.map((state) => state.kind),
    moveCursor: (to: number) => {
      cursor = to;
    },
  };
}
const hello = encodeSseFrame({ event: "hello", data: { streamId: "s", now: 1 } });

describe("a stream", () => {
  test("is live with its first frame, not with its headers", async () => {
    const { world, client, frames } = await setUp();
    const stream = world.last().stream();
    await world.settle();
    expect(client.state().kind).toBe("connecting");
    stream.write(hello);
    await world.settle();
    expect(client.state().kind).toBe("live");
    expect(frames).toEqual([{ event: "hello", data: { streamId: "s", now: 1 } }]);
  });

  test("puts characters and frames together that were cut anywhere", async () => {
    const { world, frames } = await setUp();
    const bytes = new TextEncoder().encode(
      encodeSseFrame({ event: "hello", data: { streamId: "é🙂", now: 1 } }),
    );
    const writer = world.last().stream();
    for (const byte of bytes) writer.writeBytes(Uint8Array.of(byte));
    await world.settle();
    expect(frames).toMatchObject([{ data: { streamId: "é🙂" } }]);
  });

  test("leaves out frames it does not know or cannot read, and goes on", async () => {
    const { world, frames, client } = await setUp();
    const stream = world.last().stream();
    stream.write("event: later\ndata: {}\n\nevent: hello\ndata: {oops\n\n: comment\n\n");
    stream.write(`event: constructor\ndata: {}\n\n${hello}`);
    await world.settle();
    expect(frames).toHaveLength(1);
    expect(client.state().kind).toBe("live");
  });

  test("comes back after a cut, with the cursor of that moment", async () => {
    const { world, kinds, moveCursor } = await setUp();
    const stream = world.last().stream();
    stream.write(hello);
    await world.settle();
    moveCursor(42);
    stream.end();
    await world.advance(500);
    expect(world.requests).toHaveLength(2);
    expect(world.last().path).toBe("/api/x?after=42");
    expect(kinds()).toEqual(["connecting", "live", "waiting", "connecting"]);
  });

  test("says until when it waits, and waits longer each time", async () => {
    const { world, client } = await setUp();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      world.last().fail();
      await world.settle();
      const state = client.state();
      if (state.kind !== "waiting") throw new Error(`unexpectedly ${state.kind}`);
      expect(state).toMatchObject({ attempt, cause: "network" });
      delays.push(state.until - world.effects.now());
      await world.advance(delays.at(-1) ?? 0);
    }
    expect(delays).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500]);
  });

  test("counts anew only after a stream that lasted", async () => {
    const { world, client } = await setUp();
    world.last().fail();
    await world.advance(400);
    const short = world.last().stream();
    short.write(hello);
    await world.settle();
    short.end();
    await world.settle();
    expect(client.state()).toMatchObject({ kind: "waiting", attempt: 2, cause: "cut" });
    await world.advance(1_000);
    const long = world.last().stream();
    long.write(hello);
    await world.advance(SETTLED_MS);
    long.fail();
    await world.settle();
    expect(client.state()).toMatchObject({ kind: "waiting", attempt: 1 });
  });
});

describe("silence", () => {
  test("a stream without a byte for too long is lost, whatever the socket says", async () => {
    const { world, client } = await setUp();
    const stream = world.last().stream();
    stream.write(hello);
    await world.advance(SILENCE_MS - 1);
    stream.write(": still here\n\n");
    await world.advance(SILENCE_MS - 1);
    expect(client.state().kind).toBe("live");
    await world.advance(1);
    expect(client.state()).toMatchObject({ kind: "waiting", cause: "silent" });
    expect(stream.isCancelled()).toBe(true);
  });

  test("a server that takes the request and says nothing is lost as well", async () => {
    const { world, client } = await setUp();
    await world.advance(SILENCE_MS);
    expect(client.state()).toMatchObject({ kind: "waiting", cause: "silent" });
    expect(world.requests[0]?.signal?.aborted).toBe(true);
  });

  test("what an abandoned stream still says is not heard", async () => {
    const { world, client, frames } = await setUp();
    const old = world.last();
    client.reconnect();
    await world.settle();
    old.stream().write(hello);
    await world.settle();
    expect(frames).toEqual([]);
    world.last().stream().write(hello);
    await world.settle();
    expect(frames).toHaveLength(1);
  });
});

describe("waking up", () => {
  test("does not wait any longer", async () => {
    const { world, client } = await setUp();
    world.last().fail();
    await world.settle();
    client.poke();
    await world.settle();
    expect(world.requests).toHaveLength(2);
  });

  test("leaves a talking stream alone and doubts a silent one", async () => {
    const { world, client } = await setUp();
    world.last().stream().write(hello);
    await world.advance(DOUBT_MS - 1);
    client.poke();
    await world.settle();
    expect(world.requests).toHaveLength(1);
    await world.advance(1);
    client.poke();
    await world.settle();
    expect(world.requests).toHaveLength(2);
  });

  test("without a network it says so, and looks again by itself all the same", async () => {
    const { world, client } = await setUp();
    world.setOnline(false);
    world.last().fail();
    await world.settle();
    expect(client.state()).toEqual({ kind: "offline" });
    await world.advance(30_000);
    expect(world.requests).toHaveLength(2);
  });
});

describe("the end", () => {
  test.each([
    [401, "signed_out"],
    [404, "session_gone"],
    [400, "refused"],
  ] as const)("status %i ends it for good: %s", async (status, reason) => {
    const { world, client } = await setUp();
    world.last().respond(status, { error: { code: "x", message: "x", requestId: "r" } });
    await world.advance(1_000_000);
    expect(client.state()).toEqual({ kind: "ended", reason });
    client.poke();
    client.reconnect();
    await world.settle();
    expect(world.requests).toHaveLength(1);
    expect(world.timers()).toBe(0);
  });

  test("the server's `closed` ends it too, and nothing after it is heard", async () => {
    const { world, client, frames } = await setUp();
    const closed = encodeSseFrame({ event: "closed", data: { reason: "signed_out" } });
    world
      .last()
      .stream()
      .write(closed + hello);
    await world.settle();
    expect(client.state()).toEqual({ kind: "ended", reason: "signed_out" });
    expect(frames).toEqual([]);
  });

  test("a refusal that may pass is tried again, not before the server's time", async () => {
    const { world, client } = await setUp();
    world.last().respond(429, {}, { "retry-after": "9" });
    await world.settle();
    expect(client.state()).toMatchObject({ kind: "waiting", until: world.effects.now() + 9_000 });
    await world.advance(9_000);
    expect(world.requests).toHaveLength(2);
  });

  test("ended from outside, it leaves nothing behind", async () => {
    const { world, client } = await setUp();
    const stream = world.last().stream();
    stream.write(hello);
    await world.settle();
    client.end("closed");
    expect(stream.isCancelled()).toBe(true);
    expect(world.timers()).toBe(0);
  });
});
