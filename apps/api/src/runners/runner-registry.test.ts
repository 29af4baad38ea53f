import { LINK_CLOSE, LINK_DEADLINE_MS, START, type ProcessLine } from "@lodge/protocol";
import {
  buildSpawnConfig,
  exit,
  print,
  processAdapterContract,
  read,
  ScriptedAdapter,
  type ScriptStep,
} from "@lodge/protocol/testing";
import { describe, expect, it } from "vitest";
import { RunnerDouble } from "../testing/runner-double.ts";
import type { Hello } from "./runner-link.ts";
import { RunnerRegistry } from "./runner-registry.ts";

const inputLine = (id: string): string => JSON.stringify({ type: "user", uuid: id });

function createRegistry(options: { unwanted?: (runs: Hello["runs"]) => string[] } = {}) {
  const ticks: Array<() => void> = [];
  const clock = { now: 0 };
  const registry = new RunnerRegistry({
    timers: {
      now: () => clock.now,
      every: (_ms, run) => {
        ticks.push(run);
        return () => void ticks.splice(ticks.indexOf(run), 1);
      },
    },
    unwanted: async (runs) => options.unwanted?.(runs) ?? [],
    report: (error) => {
      throw error;
    },
    onChange: () => {},
    onNotice: () => {},
  });
  return { registry, clock, tick: () => ticks.slice().forEach((run) => run()) };
}

processAdapterContract("over the runner link", async (script) => {
  const behind = new ScriptedAdapter(() => script);
  const config = buildSpawnConfig();
  const open = async () => {
    const { registry } = createRegistry();
    new RunnerDouble(new ScriptedAdapter(() => script, behind.runs)).connect(registry, 1);
    return registry.adapter("local");
  };
  return {
    adapter: await open(),
    config,
    received: async () => behind.runs.get(config.runId)?.journal ?? [],
    reopen: open,
    dispose: async () => undefined,
  };
});

async function take(lines: AsyncIterable<ProcessLine>, count: number): Promise<string[]> {
  const texts: string[] = [];
  const iterator = lines[Symbol.asyncIterator]();
  while (texts.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    texts.push(Buffer.from(next.value.bytes).toString("utf8"));
  }
  return texts;
}

function scripted(...steps: readonly ScriptStep[]) {
  const adapter = new ScriptedAdapter(() => steps);
  return { adapter, config: buildSpawnConfig(), runner: new RunnerDouble(adapter) };
}

describe("a link that breaks", () => {
  it("[W3] goes on from the last line that arrived whole; nothing twice, nothing missing", async () => {
    const long = "x".repeat(5_000);
    const { config, runner } = scripted(...print("a", "b"), read(), ...print(long, "d"), exit());
    const { registry } = createRegistry();
    runner.connect(registry, 1);
    const handle = await registry.adapter("local").spawn(config);
    expect(await take(handle.lines, 2)).toEqual(["a", "b"]);
    runner.cut();
    expect(registry.isConnected("local")).toBe(false);
    const writing = handle.write(inputLine("i1"));
    runner.connect(registry, 2);
    expect(await writing).toEqual({ journalLine: 1, duplicate: false });
    expect(await take(handle.lines, 9)).toEqual([long, "d"]);
    expect(await handle.exited).toMatchObject({ code: 0, cause: "exited" });
  });

  it("[W3] a write whose answer was lost is written again, and reaches the process once", async () => {
    const { adapter, config, runner } = scripted(read(), ...print("got it"), read());
    const { registry } = createRegistry();
    runner.connect(registry, 1);
    const handle = await registry.adapter("local").spawn(config);
    runner.mute = true;
    const writing = handle.write(inputLine("i1"));
    expect(await take(handle.lines, 1)).toEqual(["got it"]);
    runner.cut();
    runner.mute = false;
    runner.connect(registry, 2);
    expect((await writing).duplicate).toBe(true);
    expect(adapter.runs.get(config.runId)?.journal).toEqual([inputLine("i1")]);
  });

  it("[W3] a run is asked for as long as it takes until its runner is there", async () => {
    const { config, runner } = scripted(...print("a"), exit());
    const { registry } = createRegistry();
    const spawning = registry.adapter("local").spawn(config);
    runner.connect(registry, 1);
    expect(await take((await spawning).lines, 5)).toEqual(["a"]);
  });

  it("[W3] a run that the returning runner has no record of is over", async () => {
    const { adapter, config, runner } = scripted(...print("a"), read());
    const { registry } = createRegistry();
    runner.connect(registry, 1);
    const handle = await registry.adapter("local").spawn(config);
    runner.cut();
    adapter.runs.clear();
    runner.connect(registry, 2);
    expect(await handle.exited).toMatchObject({ cause: "unknown" });
  });
});

describe("connections", () => {
  it("[W6] of two of one runner the higher generation lives, whichever came first", async () => {
    const { registry } = createRegistry();
    const [one, two, old] = [1, 2, 3].map(() => new RunnerDouble(new ScriptedAdapter(() => [])));
    one?.connect(registry, 1);
    two?.connect(registry, 5);
    expect(one?.closed?.code).toBe(LINK_CLOSE.fenced);
    old?.connect(registry, 4);
    expect(old?.closed?.code).toBe(LINK_CLOSE.fenced);
    expect(two?.closed).toBeNull();
    expect(registry.isConnected("local")).toBe(true);
  });

  it("[W7] a silent peer is given up after the deadline; heartbeats keep it", () => {
    const { registry, clock, tick } = createRegistry();
    const runner = new RunnerDouble(new ScriptedAdapter(() => []));
    const link = runner.connect(registry, 1);
    clock.now = LINK_DEADLINE_MS - 1;
    link.receiveText(JSON.stringify({ type: "heartbeat", runs: [] }));
    clock.now = LINK_DEADLINE_MS + 1;
    tick();
    expect(registry.isConnected("local")).toBe(true);
    clock.now += LINK_DEADLINE_MS;
    tick();
    expect(registry.isConnected("local")).toBe(false);
    expect(runner.closed?.code).toBe(1006);
  });

  it("[W1] what is not understood closes the link: wrong version, unknown message, data before hello", () => {
    const { registry } = createRegistry();
    const runner = new RunnerDouble(new ScriptedAdapter(() => []));
    runner.connect(registry, 1, 99);
    expect(runner.closed?.code).toBe(LINK_CLOSE.wireVersion);
    for (const text of [
      "not json",
      '{"type":"nonsense"}',
      '{"type":"heartbeat","runs":[],"extra":1}',
      "[]",
    ]) {
      const link = runner.connect(registry, 2);
      link.receiveText(text);
      expect(runner.closed?.code, text).toBe(LINK_CLOSE.badMessage);
    }
    const link = runner.connect(registry, 3);
    link.receiveBinary(Uint8Array.from([0, 0, 0, 200, 1]));
    expect(runner.closed?.code).toBe(LINK_CLOSE.badMessage);
  });

  it("[W8] runs that nobody wants are disowned", async () => {
    const { registry } = createRegistry({
      unwanted: (runs) => runs.map((run) => run.runId).filter((id) => id === "old"),
    });
    const runner = new RunnerDouble(
      new ScriptedAdapter(() => []),
      "local",
      () =>
        [
          { runId: "old", sessionId: "s", alive: true },
          { runId: "new", sessionId: "s", alive: true },
        ] as never,
    );
    runner.connect(registry, 1);
    for (let i = 0; i < 20 && runner.disowned.length === 0; i++) await Promise.resolve();
    expect(runner.disowned).toEqual(["old"]);
  });

  it("[W3] what the engine has taken is acknowledged as received, what is in the log as committed", async () => {
    const { config, runner } = scripted(...print("a", "b"), read());
    const { registry } = createRegistry();
    runner.connect(registry, 1);
    const handle = await registry.adapter("local").spawn(config);
    await take(handle.lines, 2);
    handle.committed({ line: 1, offset: 2 });
    for (let i = 0; i < 20; i++) await Promise.resolve();
    expect(runner.acks.at(-1)).toMatchObject({
      received: { line: 2, offset: 4 },
      committed: { line: 1, offset: 2 },
    });
    expect(runner.acks[0]?.committed).toEqual(START);
  });
});
