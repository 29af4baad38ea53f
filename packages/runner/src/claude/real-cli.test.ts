/** The real CLI with the scripted model: what everything else here only assumes. */
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeUserLine, START, type ProcessHandle } from "@lodge/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findPinnedBin } from "./find-claude-bin.ts";
import { Conversation, type Message } from "../testing/conversation.ts";
import { startModel, type ModelProcess } from "../testing/model-process.ts";
import { RunnerFixture } from "../testing/runner-fixture.ts";
import { spawners } from "../testing/spawners.ts";

const pinned = await findPinnedBin();
const absence = pinned === null ? " (skipped: the CLI is not installed here)" : "";

const inputOf = (prompt: Message): Message => (prompt["request"] as { input: Message }).input;

describe.skipIf(pinned === null)(`real CLI${absence}`, () => {
  let model: ModelProcess;
  let fixture: RunnerFixture;

  beforeAll(async () => {
    model = await startModel();
  });
  afterAll(() => model.close());

  const create = (spawner = spawners[1]?.spawner): Promise<RunnerFixture> => {
    if (spawner === undefined) throw new Error("there always is a spawner");
    return RunnerFixture.create({
      spawner,
      claudeBin: pinned?.path ?? "",
      dependencies: { patience: { askMs: 700, terminateMs: 400 } },
      runVariables: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-fake-000" },
    });
  };
  const start = async (): Promise<Conversation> => {
    const { adapter } = await fixture.open();
    return new Conversation(await adapter.spawn(fixture.config()));
  };
  afterEach(() => fixture.close());

  for (const { name, spawner, missing } of spawners) {
    describe.skipIf(missing !== null)(`on ${name}`, () => {
      beforeEach(async () => {
        fixture = await create(spawner);
      });

      it("answers, is followed up in the same process, interrupted, asked, and ended", async () => {
        const talk = await start();
        const { pid } = talk.handle;
        expect(pid).not.toBeNull();
        const reply = await talk.initialize();
        expect(reply).toMatchObject({ response: { subtype: "success" } });
        expect(await talk.turn("@text First.")).toMatchObject({
          is_error: false,
          result: "First.",
        });
        expect(await talk.turn("@text Second.")).toMatchObject({ result: "Second." });

        let from = talk.messages.length;
        await talk.send("@text before\n@hang");
        await talk.next(({ type }) => type === "stream_event", from);
        await talk.interrupt();
        const stopped = await talk.next(({ type }) => type === "result", from);
        expect(stopped).toMatchObject({ subtype: "error_during_execution" });

        from = talk.messages.length;
        await talk.send('@tool Bash {"command":"mkdir made && echo made it"}\n@then\n@text Done.');
        const prompt = await talk.prompt(from);
        await talk.answer(prompt, { behavior: "allow", updatedInput: inputOf(prompt) });
        const done = await talk.next(({ type }) => type === "result", from);
        expect(done).toMatchObject({ result: "Done." });
        expect(talk.said()).toContain("made it");
        expect(talk.handle.pid).toBe(pid);

        await talk.handle.end();
        expect(await talk.handle.exited).toMatchObject({ code: 0, cause: "stopped" });
        await talk.over;
      });

      it("nothing is left of a command that it ran in a session of its own", async () => {
        const talk = await start();
        const command = "setsid sleep 1000 & setsid sh -c 'touch begun; sleep 1000' & sleep 1000";
        await talk.send(`@tool Bash ${JSON.stringify({ command })}`);
        const prompt = await talk.prompt();
        await talk.answer(prompt, { behavior: "allow", updatedInput: inputOf(prompt) });
        const [session = ""] = await readdir(join(fixture.directory, "homes/user-1"));
        const begunFile = join(fixture.directory, "homes/user-1", session, "begun");
        await vi.waitUntil(() => existsSync(begunFile), { timeout: 5_000, interval: 5 });
        const begun = performance.now();
        await talk.handle.end();
        expect(performance.now() - begun).toBeLessThan(2_000);
        // That nothing is left is what closing the fixture checks.
        expect((await talk.handle.exited).cause).toBe("stopped");
      });
    });
  }

  it("shows a command nothing of the daemon's environment, and no descriptor of the spool", async () => {
    fixture = await create();
    const talk = await start();
    process.env["LODGE_SECRET_OF_THE_TEST"] = "not for the model";
    try {
      const command = "env; ls -l /proc/self/fd /proc/$PPID/fd";
      await talk.send(`@tool Bash ${JSON.stringify({ command })}\n@then\n@text Done.`);
      const prompt = await talk.prompt();
      await talk.answer(prompt, { behavior: "allow", updatedInput: inputOf(prompt) });
      await talk.next(({ type }) => type === "result");
    } finally {
      delete process.env["LODGE_SECRET_OF_THE_TEST"];
    }
    const said = talk.said();
    const runId = talk.handle.runId;
    expect(said.includes(`LODGE_RUN_ID=${runId}`)).toBe(true);
    const files = ["/stdin", "/id", "/exit", "/run.json"].map((name) => runId + name);
    const leaks = ["not for the model", "OLDPWD=/proc", ...files];
    expect(leaks.filter((leak) => said.includes(leak))).toEqual([]);
  });

  it("goes on in mid-turn under another holder: same process, each line once, one input once", async () => {
    fixture = await create();
    const { adapter } = await fixture.open();
    const config = fixture.config();
    const first = await adapter.spawn(config);
    const input = encodeUserLine({
      inputId: "0b8e3c5e-45a7-4be6-9c1f-0a5f0f5a0001",
      text: "@text Before.\n@pause 500\n@text After.",
      contentBlocks: [],
    });
    await first.write(input);
    let position = START;
    for await (const { line, offset, bytes } of first.lines) {
      position = { line, offset };
      if (Buffer.from(bytes).includes("Before.")) break;
    }
    const successor = await fixture.open();
    const adopted = await successor.adapter.adopt(config.runId, position);
    if (adopted === null) throw new Error("the run was to be found");
    expect(adopted.pid).toBe(first.pid);
    expect((await adopted.write(input)).duplicate).toBe(true);
    const talk = new Conversation(adopted);
    const done = await talk.next(({ type }) => type === "result");
    expect(done).toMatchObject({ is_error: false });
    expect(talk.messages.filter(({ type }) => type === "result")).toHaveLength(1);
    expect(await talk.turn("@text Next.")).toMatchObject({ result: "Next." });
  });

  it("ignores a half line that was made harmless, wherever it was cut, and lives", async () => {
    fixture = await create();
    const config = fixture.config();
    let { adapter } = await fixture.open();
    let handle: ProcessHandle = await adapter.spawn(config);
    await new Conversation(handle).initialize();
    const half = Buffer.from(
      encodeUserLine({
        inputId: "0b8e3c5e-45a7-4be6-9c1f-0a5f0f5a0002",
        text: 'sesquipedalian "quote" 😀 \\ \n',
        contentBlocks: [{ type: "image", source: { type: "base64", data: "aGFsZg==" } }],
      }),
    );
    const smiley = half.indexOf("😀");
    const cuts = [
      1,
      8,
      14,
      20,
      33,
      60,
      90,
      120,
      smiley + 2,
      smiley + 6,
      half.length - 60,
      half.length - 1,
    ];
    for (const [index, cut] of cuts.entries()) {
      await fixture.letGo();
      await appendFile(
        join(fixture.directory, "runs", config.runId, "stdin"),
        half.subarray(0, cut),
      );
      ({ adapter } = await fixture.open());
      const adopted = await adapter.adopt(config.runId, START);
      if (adopted === null) throw new Error("the run was to be found");
      handle = adopted;
      const talk = new Conversation(handle);
      const words = `Turn ${index}.`;
      await talk.send(`@text ${words}`);
      await talk.next(({ type, result }) => type === "result" && result === words);
      expect(talk.said().includes("sesquipedalian")).toBe(false);
    }
    expect(handle.alive).toBe(true);
    const stderr = join(fixture.directory, "runs", config.runId, "stderr");
    expect(await readFile(stderr, "utf8")).toBe("");
  });
});
