import { HEARTBEAT_SSE_MS, type SseFrame } from "@lodge/protocol";
import { describe, expect, it } from "vitest";
import { SseConnection } from "./sse-response.ts";

const hello = (n: number): SseFrame => ({ event: "hello", data: { streamId: String(n), now: n } });

function open() {
  const clock = { now: 0 };
  const timers: Array<{ ms: number; run: () => void }> = [];
  const frames: SseFrame[] = [];
  let closed = 0;
  const connection: SseConnection = new SseConnection({
    source: {
      next: async () => frames.splice(0),
      heartbeats: () => [{ event: "hello", data: { streamId: "beat", now: 0 } }],
      close: () => {
        closed++;
      },
    },
    withId: false,
    effects: {
      now: () => clock.now,
      every: (ms, run) => {
        const timer = { ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    onClosed: () => {},
  });
  const reader = connection.response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  // A stream that is cut fails for its reader: expected here.
  reader.closed.catch(() => undefined);
  const read = async (): Promise<string | null> => {
    const { value, done } = await reader.read();
    return done ? null : Buffer.from(value).toString("utf8");
  };
  return {
    connection,
    clock,
    frames,
    reader,
    read,
    fire: (ms: number) => timers.filter((timer) => timer.ms === ms).forEach((timer) => timer.run()),
    timers,
    closedTimes: () => closed,
  };
}

describe("a stream", () => {
  it("[L1] is told not to be buffered, and sends what is pulled as it comes", async () => {
    const { connection, frames, read } = open();
    expect(connection.response.headers.get("x-accel-buffering")).toBe("no");
    expect(connection.response.headers.get("content-type")).toBe("text/event-stream");
    const reading = read();
    frames.push(hello(1), hello(2));
    connection.wake();
    expect(await reading).toMatch(/^event: hello\ndata: .*\n\nevent: hello\ndata: .*\n\n$/);
  });

  it("[L5] beats as data when nothing else is sent", async () => {
    const { fire, read } = open();
    const reading = read();
    fire(HEARTBEAT_SSE_MS);
    expect(await reading).toContain('"streamId":"beat"');
  });

  it("[L3] cuts a reader that takes nothing for long, and no other", async () => {
    const { frames, connection, read, clock, fire, closedTimes } = open();
    frames.push(hello(1));
    await read();
    // Whoever asks for more has taken everything: there is nothing for him, he is not slow.
    const asking = read();
    await new Promise((resolve) => setImmediate(resolve));
    clock.now = 10_000_000;
    fire(5_000);
    expect(closedTimes()).toBe(0);
    frames.push(hello(2));
    connection.wake();
    await asking;
    clock.now += 19_000;
    fire(5_000);
    expect(closedTimes()).toBe(0);
    clock.now += 2_000;
    fire(5_000);
    expect(closedTimes()).toBe(1);
  });

  it("ends with its last words, and gives back its timers", async () => {
    const { connection, read, timers, closedTimes } = open();
    const reading = read();
    connection.end([{ event: "closed", data: { reason: "signed_out" } }]);
    expect(await reading).toContain("signed_out");
    expect(await read()).toBeNull();
    expect(closedTimes()).toBe(1);
    expect(timers).toEqual([]);
  });

  it("a reader that goes away closes its source", async () => {
    const { reader, closedTimes, timers } = open();
    await reader.cancel();
    expect(closedTimes()).toBe(1);
    expect(timers).toEqual([]);
  });
});
