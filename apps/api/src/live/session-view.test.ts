import {
  applyDelta,
  applyEvent,
  REPLAY_EVENTS,
  TAIL_EVENTS,
  type PartialMessage,
  type SessionState,
  type SseFrame,
} from "@lodge/protocol";
import { ANN, echo, House, init, result, say, stream, until } from "@lodge/session/testing";
import { describe, expect, it } from "vitest";
import { SessionView } from "./session-view.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const PRESENCE = { runnerConnected: true, lastLineAt: null, storeHealthy: true };

async function running() {
  const house = new House();
  const session = await house.session();
  await session.send({ input: "go", inputId: ID }, ANN);
  await until("it is written", () => house.cli.runs.size > 0 && house.cli.last.told.length === 1);
  const run = house.cli.last;
  run.print(init("s"), echo(ID));
  await until("it is shown", () => session.log.shown.turn !== null && session.log.settled);
  const view = (after: number) =>
    new SessionView(session, after, { now: () => 5, presence: () => PRESENCE, wake: () => {} });
  return { house, session, run, view };
}

/** What a viewer makes of the frames it gets. */
class Reader {
  state: SessionState | null = null;
  seqs: number[] = [];
  partial: PartialMessage | null = null;
  reset = false;
  take(frames: readonly SseFrame[]): void {
    for (const frame of frames) {
      if (frame.event === "snapshot") {
        this.state = frame.data.state;
        this.reset = frame.data.reset;
      } else if (frame.event === "session") {
        this.seqs.push(frame.data.seq);
        if (this.state) this.state = applyEvent(this.state, frame.data);
      } else if (frame.event === "delta") {
        const next = applyDelta(this.partial, frame.data);
        if (next === "hole") throw new Error(`a hole at ${frame.data.offset}`);
        this.partial = next;
      }
    }
  }
  async drain(view: SessionView): Promise<void> {
    for (;;) {
      const frames = await view.next();
      if (frames.length === 0) return;
      this.take(frames);
    }
  }
}

const delta = (text: string) =>
  stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const begin = (id: string) => [
  stream({ type: "message_start", message: { id } }),
  stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
];

describe("a viewer", () => {
  it("[L1] gets a snapshot, then every event after it once, and folds to what the server shows", async () => {
    const { session, run, view } = await running();
    const viewer = view(0);
    const reader = new Reader();
    await reader.drain(viewer);
    run.print(say("m1", "hello"), result());
    await until("it is shown", () => session.log.shown.turn === null);
    await reader.drain(viewer);
    expect(reader.seqs).toEqual(reader.seqs.map((_, i) => i + 1));
    expect(reader.state).toEqual(session.log.shown);
  });

  it("[A2] is shown nothing that is not committed, and no delta before an earlier line is", async () => {
    const { house, session, run, view } = await running();
    const viewer = view(0);
    const reader = new Reader();
    await reader.drain(viewer);
    const { seq } = session.log.shown;
    house.storage.hold();
    run.print(say("m0", "first"), ...begin("m1"), delta("Hel"));
    await until("it is appended", () => session.state.seq > seq);
    await reader.drain(viewer);
    expect(reader.seqs.at(-1)).toBe(seq);
    expect(reader.partial).toBeNull();
    house.storage.release();
    run.print(delta("lo"));
    await until("it is shown", () => session.log.partial?.blocks[0]?.text === "Hello");
    await reader.drain(viewer);
    expect(reader.seqs.at(-1)).toBe(session.state.seq);
    expect(reader.partial?.blocks[0]?.text).toBe("Hello");
  });

  it("[D2] who joins in the middle of a message gets it from its beginning", async () => {
    const { session, run, view } = await running();
    run.print(...begin("m1"), delta("Hello "));
    await until("it is shown", () => session.log.partial?.blocks[0]?.text === "Hello ");
    const viewer = view(session.log.shown.seq);
    const reader = new Reader();
    await reader.drain(viewer);
    run.print(delta("world"));
    await until("it is shown", () => session.log.partial?.blocks[0]?.text === "Hello world");
    await reader.drain(viewer);
    expect(reader.partial?.blocks[0]?.text).toBe("Hello world");
    expect(reader.seqs).toEqual([]);
  });

  it("[L3] who falls far behind catches up from the log: nothing missing, nothing twice, bounded", async () => {
    const { session, run, view } = await running();
    const viewer = view(0);
    const reader = new Reader();
    await reader.drain(viewer);
    for (let i = 0; i < 1_100; i++) run.print(say(`m${i}`, String(i)));
    run.print(...begin("last"), delta("so far"));
    await until("it is shown", () => session.log.partial?.blocks[0]?.text === "so far");
    await reader.drain(viewer);
    run.print(result());
    await until("the turn is over", () => session.log.shown.turn === null);
    await reader.drain(viewer);
    expect(reader.seqs).toEqual(Array.from({ length: session.log.shown.seq }, (_, i) => i + 1));
    expect(reader.state).toEqual(session.log.shown);
    expect(reader.partial?.blocks[0]?.text).toBe("so far");
  });

  it("[L2] a cursor gets the rest; one past the tail or too far back is reset; a cold load gets the tail", async () => {
    const { session, run, view } = await running();
    const before = session.log.shown.seq;
    for (let i = 0; i < REPLAY_EVENTS + 50; i++) run.print(say(`m${i}`, "x"));
    await until("it is shown", () => session.log.shown.seq === before + REPLAY_EVENTS + 50);
    const head = session.log.shown.seq;
    const from = async (after: number) => {
      const reader = new Reader();
      await reader.drain(view(after));
      return { first: reader.seqs[0], count: reader.seqs.length, reset: reader.reset };
    };
    expect(await from(0)).toEqual({
      first: head - TAIL_EVENTS + 1,
      count: TAIL_EVENTS,
      reset: false,
    });
    expect(await from(head - 10)).toEqual({ first: head - 9, count: 10, reset: false });
    expect(await from(head)).toEqual({ first: undefined, count: 0, reset: false });
    expect(await from(head + 1)).toEqual({
      first: head - TAIL_EVENTS + 1,
      count: TAIL_EVENTS,
      reset: true,
    });
    expect(await from(1)).toEqual({
      first: head - TAIL_EVENTS + 1,
      count: TAIL_EVENTS,
      reset: true,
    });
  });
});
