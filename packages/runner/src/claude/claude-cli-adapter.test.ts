import { randomUUID } from "node:crypto";
import { START } from "@lodge/protocol";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { Conversation } from "../testing/conversation.ts";
import { DOUBLE_CLAUDE } from "../testing/index.ts";
import { RunnerFixture } from "../testing/runner-fixture.ts";
import { startModel } from "../testing/model-process.ts";
import { spawners } from "../testing/spawners.ts";
import { ClaudeCliAdapter } from "./claude-cli-adapter.ts";
import { findPinnedBin } from "./find-claude-bin.ts";

const pinned = await findPinnedBin();
const [plain] = spawners;

describe("ClaudeCliAdapter", () => {
  let fixture: RunnerFixture;
  afterEach(() => fixture.close());

  async function open(
    claudeBin: string,
    runVariables: Record<string, string> = {},
  ): Promise<ClaudeCliAdapter> {
    if (plain === undefined) throw new Error("there always is a spawner");
    fixture = await RunnerFixture.create({ spawner: plain.spawner, claudeBin, runVariables });
    const { table } = await fixture.open();
    return new ClaudeCliAdapter({ ...fixture.adapterOptions(table), newId: randomUUID });
  }

  it("gives the prompt, and ends after its turn", async () => {
    const adapter = await open(DOUBLE_CLAUDE);
    const config = fixture.config({ prompt: "hello" });
    const talk = new Conversation(await adapter.spawn(config));
    await talk.over;
    expect(talk.messages.map(({ type }) => type)).toEqual([
      "system",
      "user",
      "assistant",
      "result",
    ]);
    expect(talk.said()).toContain("Echo: hello");
    expect(await talk.handle.exited).toMatchObject({ code: 0, cause: "exited" });
    const again = await adapter.adopt(config.runId, START);
    if (again === null) throw new Error("the run was to be found");
    const repeated = new Conversation(again);
    await repeated.over;
    expect(repeated.messages).toEqual(talk.messages);
  });

  it("takes no more input, and can be ended in its turn", async () => {
    const adapter = await open(DOUBLE_CLAUDE);
    const talk = new Conversation(
      await adapter.spawn(fixture.config({ prompt: "!line {}\n!hang" })),
    );
    await talk.next((message) => Object.keys(message).length === 0);
    await expect(talk.send("more")).rejects.toThrow("no input after its prompt");
    await talk.handle.end();
    expect(await talk.handle.exited).toMatchObject({ signal: "SIGTERM", cause: "stopped" });
  });

  it("needs a prompt", async () => {
    const adapter = await open(DOUBLE_CLAUDE);
    await expect(adapter.spawn(fixture.config())).rejects.toMatchObject({ code: "bad_config" });
  });

  it.skipIf(pinned === null)("does so with the real CLI, where nobody can be asked", async () => {
    const model = await startModel();
    onTestFinished(() => model.close());
    const adapter = await open(pinned?.path ?? "", {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "sk-ant-fake-000",
    });
    const prompt = '@tool Bash {"command":"mkdir made"}\n@then\n@text Done.';
    const talk = new Conversation(await adapter.spawn(fixture.config({ prompt })));
    await talk.over;
    expect(talk.messages.at(-1)).toMatchObject({ type: "result", result: "Done." });
    expect(await talk.handle.exited).toMatchObject({ code: 0, cause: "exited" });
  });
});
