import { setTimeout as delay } from "node:timers/promises";
import {
  encodeInitialize,
  encodeUserLine,
  parseCassette,
  encodeCassette,
  type Cassette,
} from "@lodge/protocol";
import {
  cassetteNames,
  loadCassette,
  processAdapterContract,
  scriptedCassette,
} from "@lodge/protocol/testing";
import { describe, expect, it } from "vitest";
import { Conversation } from "../testing/conversation.ts";
import { CassetteAdapter } from "./cassette-adapter.ts";
import { CassetteRecorder } from "./cassette-recorder.ts";
import type { CassetteRun } from "./cassette-run.ts";

const config = {
  sessionId: "s",
  runId: "r1",
  userId: "u",
  cwd: null,
  resumeId: "0b8e3c5e-45a7-4be6-9c1f-0a5f0f5a0001",
  resume: false,
  model: null,
  effort: null,
  permissionMode: "default",
  trust: false,
  allowBypass: false,
} as const;

function open(cassette: Cassette, timescale = 0, runs = new Map<string, CassetteRun>()) {
  const pauses: number[] = [];
  const adapter = new CassetteAdapter({
    cassette: () => Promise.resolve(cassette),
    runs,
    timescale,
    now: Date.now,
    delay: (ms) => {
      pauses.push(ms);
      return delay(0);
    },
  });
  return { adapter, pauses };
}

processAdapterContract(
  "CassetteAdapter",
  (script) => {
    const cassette = scriptedCassette(script);
    const runs = new Map<string, CassetteRun>();
    const received: string[] = [];
    // What reached the process: every line that was accepted, in order.
    const listening = (adapter: CassetteAdapter) => ({
      spawn: async (wanted: typeof config) => listen(await adapter.spawn(wanted)),
      adopt: async (...place: Parameters<CassetteAdapter["adopt"]>) => {
        const handle = await adapter.adopt(...place);
        return handle === null ? null : listen(handle);
      },
    });
    const listen = (handle: Awaited<ReturnType<CassetteAdapter["spawn"]>>): typeof handle => ({
      runId: handle.runId,
      processId: handle.processId,
      pid: handle.pid,
      lines: handle.lines,
      exited: handle.exited,
      get alive() {
        return handle.alive;
      },
      committed: handle.committed,
      signal: handle.signal,
      end: handle.end,
      release: handle.release,
      write: async (line) => {
        const receipt = await handle.write(line);
        if (!receipt.duplicate) received.push(line);
        return receipt;
      },
    });
    const openOne = () => listening(open(cassette, 0, runs).adapter) as unknown as CassetteAdapter;
    return Promise.resolve({
      adapter: openOne(),
      config,
      received: () => Promise.resolve(received),
      reopen: () => Promise.resolve(openOne()),
      dispose: () => Promise.resolve(),
    });
  },
  { cutsLines: false },
);

describe("CassetteAdapter", () => {
  const say = (text: string, inputId = crypto.randomUUID()) =>
    encodeUserLine({ inputId, text, contentBlocks: [] });

  it("plays a recording of the real CLI against lines of ours: each waits for its place", async () => {
    const { adapter } = open(loadCassette("04-tool-allow"));
    const talk = new Conversation(await adapter.spawn(config));
    await talk.handle.write(say("something else was said then"));
    let prompts = 0;
    for (let from = 0; ;) {
      const next = await talk.next(
        ({ type }) => type === "result" || type === "control_request",
        from,
      );
      if (next["type"] === "result") break;
      from = talk.messages.indexOf(next) + 1;
      prompts += 1;
      await talk.answer(next, { behavior: "allow", updatedInput: {} });
    }
    expect(prompts).toBe(4);
    expect(talk.handle.alive).toBe(true);
    await talk.handle.end();
    expect(await talk.handle.exited).toMatchObject({ cause: "stopped" });
  });

  it("answers to our ids what was answered to the recorded ones", async () => {
    const { adapter } = open(loadCassette("18-initialize"));
    const talk = new Conversation(await adapter.spawn(config));
    await talk.handle.write(encodeInitialize("ours-1"));
    const reply = await talk.next(({ type }) => type === "control_response");
    expect(reply).toMatchObject({ response: { request_id: "ours-1", subtype: "success" } });
    await talk.handle.end();
  });

  it("grants a request that was not made when it was recorded", async () => {
    const { adapter } = open(loadCassette("01-single-turn"));
    const talk = new Conversation(await adapter.spawn(config));
    expect(await talk.initialize()).toMatchObject({ response: { subtype: "success" } });
    expect(await talk.turn("hello")).toMatchObject({ type: "result", is_error: false });
    await talk.handle.end();
  });

  it("keeps the recorded time, at the scale that is asked for, but waits for nobody's typing", async () => {
    const cassette: Cassette = {
      header: { v: 1, cli: "", args: [] },
      entries: [
        { t: 100, ch: "out", line: "{}" },
        { t: 60_100, ch: "in", line: "" },
        { t: 60_150, ch: "out", line: "{}" },
        { t: 60_200, ch: "exit", code: 0, signal: null },
      ],
    };
    const { adapter, pauses } = open(cassette, 2);
    const handle = await adapter.spawn(config);
    await handle.write(say("hello"));
    await handle.exited;
    expect(pauses).toEqual([200, 100, 100]);
  });

  it.each(cassetteNames())("a recording of %s being played is the same again", async (name) => {
    const original = loadCassette(name);
    let recorded: Cassette | null = null;
    const recorder = new CassetteRecorder({
      adapter: open(original).adapter,
      header: original.header,
      now: Date.now,
      onRecorded: (_runId, cassette) => {
        recorded = parseCassette(encodeCassette(cassette));
      },
    });
    const handle = await recorder.spawn(config);
    const lines = handle.lines[Symbol.asyncIterator]();
    for (const entry of original.entries) {
      if (entry.ch === "out") await lines.next();
      else if (entry.ch === "signal") await handle.signal(entry.signal as "SIGINT");
      else if (entry.ch === "in" && "line" in entry) await handle.write(entry.line);
      else if (entry.ch === "in") void handle.end();
    }
    expect((await lines.next()).done).toBe(true);
    const streams = ({ entries }: Cassette): unknown[] =>
      entries.flatMap((entry) =>
        entry.ch === "out" || entry.ch === "exit" ? [{ ...entry, t: 0 }] : [],
      );
    expect(recorded === null ? null : streams(recorded)).toEqual(streams(original));
  });
});
