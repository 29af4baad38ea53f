import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, type Delta, type EventDraft, type SessionEvent } from "@lodge/protocol";
import { createHttpClient } from "./http-client.ts";
import type { SessionFrame } from "./frame-source.ts";
import { createSessionFeed } from "./session-feed.ts";
import { asFrame, AT, buildLog, drafts, heartbeat, RUN, SESSION } from "./testing/build-log.ts";
import { makeFakeSource } from "./testing/fake-source.ts";
import { makeFakeWorld } from "./testing/fake-world.ts";

function setUp(log: readonly SessionEvent[] = [], limits?: { tail: number; replay: number }) {
  const world = makeFakeWorld();
  const server = makeFakeSource(limits);
  server.log.push(...log);
  const feed = createSessionFeed({
    sessionId: SESSION,
    source: server.source,
    http: createHttpClient({ baseUrl: "", effects: world.effects }),
    effects: world.effects,
  });
  return { world, server, feed };
}
const seqs = (events: readonly SessionEvent[]) => events.map((event) => event.seq);
const notices = (count: number) =>
  buildLog(Array.from({ length: count }, (_, index) => drafts.notice(`n${index}`)));

describe("what is shown", () => {
  test("is hydrating until the snapshot's head is held, then ready for good", () => {
    const log = notices(5);
    const { server, feed } = setUp(log);
    expect(feed.hydrationPhase()).toBe("hydrating");
    for (let frame = 0; frame < 5; frame++) server.deliver();
    expect(feed.hydrationPhase()).toBe("hydrating");
    server.deliver();
    expect(feed.hydrationPhase()).toBe("ready");
    server.breakConnection();
    server.deliver();
    expect(feed.hydrationPhase()).toBe("ready");
    expect(feed.state()).toEqual(fold(log));
  });

  test("an empty session is ready with its snapshot", () => {
    const { server, feed } = setUp();
    server.deliverAll();
    expect(feed.hydrationPhase()).toBe("ready");
    expect(feed.status()).toBe("idle");
    expect(feed.connected()).toBe(true);
  });

  test("a cold load holds the tail, with the state of the whole", () => {
    const log = buildLog([
      drafts.titled("T"),
      ...Array.from({ length: 9 }, () => drafts.notice("n")),
    ]);
    const { server, feed } = setUp(log, { tail: 3, replay: 100 });
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([8, 9, 10]);
    expect(feed.hasEarlier()).toBe(true);
    expect(feed.state()).toEqual(fold(log));
  });

  test("goes on from the cursor after a break, without a second copy", () => {
    const { server, feed } = setUp(notices(3));
    server.deliverAll();
    const generation = feed.generation();
    server.breakConnection();
    server.append(buildLog([drafts.notice("later")], 4));
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([1, 2, 3, 4]);
    expect(feed.generation()).toBe(generation);
  });

  test("is rebuilt when the server says that the cursor is unusable", () => {
    const { server, feed } = setUp(notices(8), { tail: 2, replay: 3 });
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([7, 8]);
    server.log.push(
      ...buildLog(
        Array.from({ length: 6 }, () => drafts.notice("m")),
        9,
      ),
    );
    server.breakConnection();
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([13, 14]);
    expect(feed.state()).toEqual(fold(server.log));
  });

  test("follows the server back when its log is shorter than ours (a restored backup)", () => {
    const { server, feed } = setUp(notices(6));
    server.deliverAll();
    server.log.length = 2;
    server.breakConnection();
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([1, 2]);
    expect(feed.state().seq).toBe(2);
  });

  test("says the time by the server's clock", () => {
    const { server, feed, world } = setUp();
    server.deliverAll();
    expect(feed.serverNow()).toBe(AT);
    server.push(heartbeat(0, { now: AT + 5_000 }));
    server.deliverAll();
    expect(feed.serverNow() - world.effects.now()).toBe(AT + 5_000 - 1_000_000);
  });

  test("takes an injected event once", () => {
    const log = notices(2);
    const { server, feed } = setUp(log);
    server.deliverAll();
    const [next] = buildLog([drafts.notice("x")], 3);
    if (next === undefined) throw new Error("no event");
    feed.injectEvent(next);
    server.append([next]);
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([1, 2, 3]);
  });
});

describe("holes", () => {
  test("a missing event is noticed with the next one and asked for from the cursor", async () => {
    const { server, feed, world } = setUp(notices(2));
    server.deliverAll();
    const [third, fourth] = buildLog([drafts.notice("3"), drafts.notice("4")], 3);
    server.log.push(third as SessionEvent, fourth as SessionEvent);
    server.push(asFrame(fourth as SessionEvent));
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([1, 2]);
    await world.advance(0);
    server.deliverAll();
    expect(seqs(feed.events())).toEqual([1, 2, 3, 4]);
  });

  test("a missing last event is noticed by the heartbeats", async () => {
    const { server, feed, world } = setUp(notices(2));
    server.deliverAll();
    server.log.push(...buildLog([drafts.notice("3")], 3));
    server.beat();
    server.deliverAll();
    await world.advance(0);
    // One beat may overtake the event it promises.
    expect(server.watches()).toBe(1);
    server.beat();
    server.deliverAll();
    await world.advance(0);
    server.deliverAll();
    expect(server.watches()).toBe(2);
    expect(seqs(feed.events())).toEqual([1, 2, 3]);
  });

  test("a server that keeps leaving things out is not asked in a loop", async () => {
    const { server, world } = setUp(notices(2));
    server.deliverAll();
    const hole = asFrame(buildLog([drafts.notice("9")], 9)[0] as SessionEvent);
    for (let round = 0; round < 100; round++) {
      server.push(hole);
      server.deliverAll();
      await world.advance(100);
    }
    // Ten seconds of it: at once, then after 375, 750, 1500, 3000 … ms.
    expect(server.watches()).toBeLessThan(8);
  });
});

describe("deltas", () => {
  const delta = (offset: number, text: string, facts: Partial<Delta> = {}): SessionFrame => ({
    event: "delta",
    data: {
      sessionId: SESSION,
      runId: RUN,
      messageId: "m1",
      block: 0,
      kind: "text",
      offset,
      text,
      ...facts,
    },
  });
  const shown = (feed: ReturnType<typeof setUp>["feed"]) =>
    feed.partial()?.blocks.map((block) => block.text) ?? null;

  test("grow the message; what is there already is not added again", () => {
    const { server, feed } = setUp();
    server.push(
      delta(0, "Hel"),
      delta(3, "lo"),
      delta(3, "lo"),
      delta(1, "ello wor"),
      delta(9, "ld"),
    );
    server.deliverAll();
    expect(shown(feed)).toEqual(["Hello world"]);
  });

  test("a missing piece is asked for again", async () => {
    const { server, feed, world } = setUp();
    server.push(delta(0, "Hel"), delta(5, " world"));
    server.deliverAll();
    await world.advance(0);
    expect(server.watches()).toBe(2);
    server.push(delta(0, "Hello world"));
    server.deliverAll();
    expect(shown(feed)).toEqual(["Hello world"]);
  });

  test("what the log has of the message is not shown as being written", () => {
    const { server, feed } = setUp(buildLog([drafts.runStart(), drafts.turnStart()]));
    server.push(delta(0, "One."));
    server.append(buildLog([drafts.text("m1", "One.")], 3));
    server.push(delta(0, "Two", { block: 1 }));
    server.deliverAll();
    expect(shown(feed)).toEqual(["One.", "Two"]);
    expect(feed.writing().map((block) => block.text)).toEqual(["Two"]);
    server.breakConnection();
    server.push(delta(0, "One."), delta(0, "Two and", { block: 1 }));
    server.deliverAll();
    expect(feed.writing().map((block) => block.text)).toEqual(["Two and"]);
  });

  test("end with the turn", () => {
    const { server, feed } = setUp(buildLog([drafts.runStart(), drafts.turnStart()]));
    server.push(delta(0, "Hel"));
    server.append(buildLog([drafts.turnEnd()], 3));
    server.deliverAll();
    expect(shown(feed)).toBeNull();
  });
});

describe("sending", () => {
  test("shows an input as sending until the log has it, and never twice", async () => {
    const { server, feed, world } = setUp();
    server.deliverAll();
    const inputId = feed.send("hello");
    expect(feed.outgoing()).toMatchObject([{ inputId, input: "hello", phase: "sending" }]);
    server.append(buildLog([drafts.queued(inputId)]));
    server.deliverAll();
    expect(feed.outgoing()).toEqual([]);
    world.last().respond(202, { inputId, seq: 1 });
    await world.settle();
    expect(feed.outgoing()).toEqual([]);
  });

  test("the receipt may come before the event, and the event only in a snapshot", async () => {
    const { server, feed, world } = setUp();
    server.deliverAll();
    const inputId = feed.send("hello");
    world.last().respond(202, { inputId, seq: 1 });
    await world.settle();
    expect(feed.outgoing()).toMatchObject([{ inputId, phase: "accepted" }]);
    server.log.push(...buildLog([drafts.queued(inputId)]));
    server.breakConnection();
    server.deliver();
    expect(feed.outgoing()).toEqual([]);
  });

  test("a refusal keeps the text: it can be sent again under its id, or taken back", async () => {
    const { server, feed, world } = setUp();
    server.deliverAll();
    const inputId = feed.send("hello");
    const refusal = { error: { code: "store_unavailable", message: "no", requestId: "r" } };
    world.last().respond(503, refusal);
    await world.settle();
    expect(feed.outgoing()).toMatchObject([
      { phase: "failed", error: { code: "store_unavailable" } },
    ]);
    feed.retrySend(inputId);
    expect(world.last().body).toMatchObject({ inputId });
    world.last().respond(503, refusal);
    await world.settle();
    expect(feed.discardSend(inputId)).toBe("hello");
    expect(feed.outgoing()).toEqual([]);
  });
});

describe("history", () => {
  test("is paged backwards, and calls made meanwhile share a page", async () => {
    const log = notices(10);
    const { server, feed, world } = setUp(log, { tail: 3, replay: 100 });
    server.deliverAll();
    const first = feed.fetchHistory(4);
    const second = feed.fetchHistory(4);
    expect(world.requests).toHaveLength(1);
    expect(world.last().path).toBe(`/api/sessions/${SESSION}/history?before=8&limit=4`);
    world.last().respond(200, { events: log.slice(3, 7), hasMore: true });
    expect(await first).toBe(true);
    expect(await second).toBe(true);
    expect(seqs(feed.events())).toEqual([4, 5, 6, 7, 8, 9, 10]);
    const last = feed.fetchHistory(4);
    world.last().respond(200, { events: log.slice(0, 3), hasMore: false });
    expect(await last).toBe(false);
    expect(feed.state()).toEqual(fold(log));
  });

  test("a page that no longer joins on is left out", async () => {
    const log = notices(10);
    const { server, feed, world } = setUp(log, { tail: 3, replay: 100 });
    server.deliverAll();
    const page = feed.fetchHistory(4);
    world.last().respond(200, { events: log.slice(2, 5), hasMore: true });
    await page;
    expect(seqs(feed.events())).toEqual([8, 9, 10]);
  });

  test("nothing is asked for before the beginning", async () => {
    const { server, feed, world } = setUp(notices(3));
    server.deliverAll();
    expect(await feed.fetchHistory()).toBe(false);
    expect(world.requests).toHaveLength(0);
  });
});

describe("whatever the network does", () => {
  const aDraft = fc.oneof(
    fc.uuid().map((id) => drafts.queued(id)),
    fc.constantFrom<EventDraft>(
      drafts.queued("i1"),
      drafts.sent("i1"),
      drafts.runStart(),
      drafts.turnStart(),
      drafts.text("m1", "text"),
      drafts.turnEnd(),
      drafts.runEnd(),
      drafts.titled("T"),
      drafts.notice("n"),
    ),
  );
  const aStep = fc.oneof(
    fc
      .array(aDraft, { minLength: 1, maxLength: 5 })
      .map((appended) => ({ kind: "append", appended }) as const),
    fc
      .constantFrom("deliver", "deliver", "deliver", "drop", "duplicate", "swap", "break", "beat")
      .map((kind) => ({ kind }) as const),
  );

  test("the fold ends as that of the whole log, and is that of a prefix on the way", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 60 }), async (steps) => {
        const { server, feed, world } = setUp([], { tail: 6, replay: 12 });
        for (const step of steps) {
          if (step.kind === "append") server.append(buildLog(step.appended, server.log.length + 1));
          else if (step.kind === "break") server.breakConnection();
          else server[step.kind]();
          const held = feed.events();
          expect(held).toEqual(server.log.slice((held[0]?.seq ?? 1) - 1, held.at(-1)?.seq ?? 0));
          expect(feed.state()).toEqual(fold(server.log.slice(0, feed.state().seq)));
        }
        // Left alone, it heals by its own timers and the server's beats.
        for (let round = 0; round < 6; round++) {
          server.beat();
          server.deliverAll();
          await world.advance(15_000);
          server.deliverAll();
        }
        expect(feed.state()).toEqual(fold(server.log));
        expect(feed.events().at(-1)?.seq ?? 0).toBe(server.log.length);
      }),
      { numRuns: 60 },
    );
  });
});

test("closed, it is not watched and leaves no timer", async () => {
  const { server, feed, world } = setUp(notices(2));
  server.deliverAll();
  feed.send("x");
  world.last().fail();
  await world.settle();
  feed.close();
  await world.settle();
  expect(server.isWatched()).toBe(false);
  expect(world.timers()).toBe(0);
});
