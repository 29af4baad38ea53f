import { FRAME_BYTES, LINK_CLOSE, START, WINDOW_BYTES } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeHost, type FakeHost } from "../testing/fake-host.ts";
import { TEST_TOKEN, TestApi, type TestConnection } from "../testing/test-api.ts";
import { dial } from "./dial.ts";
import { Link } from "./link.ts";

const patience = { timeout: 5_000, interval: 2 };
const MEBIBYTE = 1024 * 1024;

describe("the link", () => {
  let api: TestApi;
  let host: FakeHost;
  let link: Link;
  let generation: number;
  let reasons: string[];

  /** Starts the runner's side; what it waits before dialling again is cut short. */
  function start(changes: { token?: string } = {}): Link {
    link = new Link({
      host,
      runnerId: "runner-1",
      version: "0.0.0",
      dial: (events) => dial({ apiUrl: api.url, token: changes.token ?? TEST_TOKEN }, events),
      facts: () =>
        Promise.resolve({
          tier: "none",
          accounts: false,
          hostname: "here",
          claudeBin: null,
          cliVersion: null,
          problem: null,
        }),
      nextGeneration: () => Promise.resolve(++generation),
      clock: {
        now: () => performance.now(),
        defer: setImmediate,
        every: (ms, run) => {
          const timer = setInterval(run, ms);
          return () => clearInterval(timer);
        },
      },
      after: (_ms, run) => {
        const timer = setTimeout(run, 5);
        return () => clearTimeout(timer);
      },
      random: () => 0.5,
      onError: (message, error) => reasons.push(`${message}: ${String(error)}`),
      onConnected: () => undefined,
      onDisconnected: (reason) => reasons.push(reason),
    });
    link.start();
    return link;
  }

  const open = async (options?: Parameters<typeof TestApi.open>[0]): Promise<TestConnection> => {
    api = await TestApi.open(options);
    start();
    return api.connection(1);
  };
  const adopt = (to: TestConnection, runId: string, position = START) =>
    to.request({ method: "adopt", runId, position });

  beforeEach(() => {
    host = createFakeHost();
    generation = 0;
    reasons = [];
  });
  afterEach(async () => {
    link.stop();
    await api.close();
  });

  it("says who it is and what it holds, and sends nothing of a run before it is asked for", async () => {
    host.add("r1").print("a line");
    const connection = await open();
    expect(connection.hello).toMatchObject({
      runnerId: "runner-1",
      generation: 1,
      runs: [{ runId: "r1", sessionId: "session of r1", alive: true }],
    });
    await adopt(connection, "no-such-run");
    expect(connection.order).toEqual([]);
    expect(await adopt(connection, "r1")).toEqual({
      processId: "process of r1",
      pid: 4711,
      alive: true,
    });
    await vi.waitUntil(() => connection.run("r1").lines.length === 1, patience);
  });

  it("cuts long lines into frames that are small enough, and gathers short ones", async () => {
    const run = host.add("r1");
    const long = Buffer.alloc(8 * MEBIBYTE, "0123456789é");
    const short = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
    run.print(...short, long, Buffer.alloc(0), Buffer.from([0xff, 0x00, 0xc3]));
    const connection = await open();
    await adopt(connection, "r1");
    const taken = connection.run("r1");
    await vi.waitUntil(() => taken.lines.length === 1_003, patience);
    const { lines, frames } = taken;
    expect(lines.slice(0, 1_000).map(({ bytes }) => bytes.toString())).toEqual(short);
    expect(lines[1_000]?.bytes.equals(long)).toBe(true);
    expect(lines[1_001]?.bytes.byteLength).toBe(0);
    expect(lines[1_002]?.bytes).toEqual(Buffer.from([0xff, 0x00, 0xc3]));
    expect(Math.max(...frames.map(({ bytes }) => bytes))).toBeLessThanOrEqual(FRAME_BYTES);
    expect(frames.length).toBeLessThan(60);
    expect(taken.position).toEqual({ line: 1_003, offset: run.lines.at(-1)?.offset });
  });

  it("keeps no more under way than the window, and goes on as it is acknowledged", async () => {
    const run = host.add("r1");
    const line = Buffer.alloc(100_000, "x");
    run.print(...Array.from({ length: 40 }, () => line));
    const connection = await open();
    connection.isAcknowledging = false;
    await adopt(connection, "r1");
    const taken = connection.run("r1");
    await vi.waitUntil(() => taken.lines.length === 10, patience);
    expect(taken.position.offset).toBeLessThanOrEqual(WINDOW_BYTES);
    // A round trip later it still is as much: nothing more was on its way.
    await adopt(connection, "no-such-run");
    expect(taken.lines).toHaveLength(10);
    expect(run.taken).toBeLessThan(20);
    connection.acknowledge("r1", taken.position);
    await vi.waitUntil(() => taken.lines.length === 20, patience);
    connection.isAcknowledging = true;
    connection.acknowledge("r1", taken.position);
    await vi.waitUntil(() => taken.lines.length === 40, patience);
  });

  it("sends a line larger than the window to its end: only whole lines are acknowledged", async () => {
    host.add("r1").print("small", Buffer.alloc(3 * WINDOW_BYTES, "x"), "after");
    const connection = await open();
    connection.isAcknowledging = false;
    await adopt(connection, "r1");
    const taken = connection.run("r1");
    await vi.waitUntil(() => taken.lines.length === 1, patience);
    connection.acknowledge("r1", { line: 1, offset: 6 });
    await vi.waitUntil(() => taken.lines.length === 2, patience);
    await adopt(connection, "no-such-run");
    expect(taken.lines).toHaveLength(2);
    connection.acknowledge("r1", taken.position);
    await vi.waitUntil(() => taken.lines.length === 3, patience);
  });

  it("lets runs take turns: a loud one does not silence another", async () => {
    host.add("loud").print(Buffer.alloc(16 * MEBIBYTE, "x"));
    const quiet = host.add("quiet");
    const connection = await open();
    await adopt(connection, "loud");
    await adopt(connection, "quiet");
    await vi.waitUntil(() => connection.order.length > 2, patience);
    quiet.print("now");
    await vi.waitUntil(() => connection.run("quiet").lines.length === 1, patience);
    expect(connection.run("loud").lines).toHaveLength(0);
    await vi.waitUntil(() => connection.run("loud").lines.length === 1, patience);
  });

  it("passes on what is committed, and answers each request, refusals by their codes", async () => {
    const run = host.add("r1");
    const connection = await open();
    await adopt(connection, "r1");
    connection.acknowledge("r1", { line: 2, offset: 20 }, { line: 1, offset: 10 });
    const line = '{"type":"keep_alive"}';
    expect(await connection.request({ method: "write", runId: "r1", line })).toEqual({
      journalLine: 1,
      duplicate: false,
    });
    expect(run.committed).toEqual({ line: 1, offset: 10 });
    run.end();
    await expect(connection.request({ method: "write", runId: "r1", line })).rejects.toMatchObject({
      code: "process_gone",
    });
    await expect(connection.request({ method: "end", runId: "r2" })).rejects.toMatchObject({
      code: "unknown_run",
    });
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    host.add("r4").failure = full;
    await expect(connection.request({ method: "write", runId: "r4", line })).rejects.toMatchObject({
      code: "disk_full",
    });
    host.add("r5").failure = new Error("a bug, with a secret in it");
    await expect(connection.request({ method: "write", runId: "r5", line })).rejects.toMatchObject({
      code: "internal",
      message: expect.not.stringContaining("secret") as string,
    });
    connection.send({ type: "disown", runIds: ["r3"] });
    await vi.waitUntil(() => host.disowned.length === 1, patience);
  });

  it("reports the end of a run after its last line, on every connection that asks", async () => {
    const run = host.add("r1");
    run.print("one", "two");
    run.end({ code: 3, stderr: "why" });
    const connection = await open();
    await adopt(connection, "r1");
    await vi.waitUntil(() => connection.run("r1").exited !== null, patience);
    expect(connection.run("r1").texts()).toEqual(["one", "two"]);
    expect(connection.run("r1").exited).toMatchObject({
      exit: { code: 3, cause: "exited", stderr: "why" },
      position: { line: 2, offset: 8 },
    });
    connection.drop();
    const again = await api.connection(2);
    await adopt(again, "r1", { line: 1, offset: 4 });
    await vi.waitUntil(() => again.run("r1").exited !== null, patience);
    expect(again.run("r1").texts()).toEqual(["two"]);
  });

  it("comes back with a higher generation, and sends again from where it is asked to", async () => {
    const run = host.add("r1");
    run.print("one", "two", "three");
    const connection = await open();
    await adopt(connection, "r1");
    await vi.waitUntil(() => connection.run("r1").lines.length === 3, patience);
    connection.drop();
    const again = await api.connection(2);
    expect(again.hello.generation).toBe(2);
    run.print("four");
    await adopt(again, "r1", { line: 1, offset: 4 });
    await vi.waitUntil(() => again.run("r1").lines.length === 3, patience);
    expect(again.run("r1").lines.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(reasons).toHaveLength(1);
  });

  it("gives up on an api that is frozen, and dials again", async () => {
    const connection = await open({ heartbeatMs: 20, deadlineMs: 100 });
    connection.freeze();
    const again = await api.connection(2);
    expect(again.hello.generation).toBe(2);
  });

  it("beats while the api does not take what it sends", async () => {
    host.add("r1").print(Buffer.alloc(32 * MEBIBYTE, "x"));
    const connection = await open({ heartbeatMs: 10 });
    connection.isAcknowledging = false;
    await adopt(connection, "r1");
    const before = connection.heartbeats;
    await vi.waitUntil(() => connection.heartbeats > before + 3, patience);
    expect(reasons).toEqual([]);
  });

  it.each(["not JSON", '{"type":"nonsense"}', '{"type":"heartbeat","extra":1}', Buffer.from([1])])(
    "closes on a message that it does not understand: %s",
    async (message) => {
      const connection = await open();
      connection.sendRaw(message);
      await vi.waitUntil(() => connection.closed !== null, patience);
      expect(connection.closed?.code).toBe(LINK_CLOSE.badMessage);
      await api.connection(2);
    },
  );

  it("says why when its token is refused, and tries again", async () => {
    api = await TestApi.open();
    start({ token: "wrong" });
    await vi.waitUntil(() => reasons.length > 1, patience);
    expect(reasons[0]).toBe("the api does not accept the runner's token");
  });

  it("waits for an api that is not there yet", async () => {
    api = await TestApi.open();
    const { port } = new URL(api.url);
    await api.close();
    start();
    await vi.waitUntil(() => reasons.length > 1, patience);
    api = await TestApi.open({ port: Number(port) });
    await api.connection(1);
  });
});
