/** The whole runner as a program: what it keeps when it is killed, stopped, or its host ends. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeInitialize, encodeUserLine, START, type RunFacts } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findPinnedBin } from "./claude/find-claude-bin.ts";
import { hasMarkedProcess } from "./spawn/marked-processes.ts";
import { DOUBLE_CLAUDE } from "./testing/index.ts";
import { startModel } from "./testing/model-process.ts";
import { startRunner, type RunnerProcess } from "./testing/runner-process.ts";
import { TEST_TOKEN, TestApi, type TestConnection } from "./testing/test-api.ts";

const pinned = await findPinnedBin();
const patience = { timeout: 10_000, interval: 10 };

describe("the runner's program", () => {
  let api: TestApi;
  let directory: string;
  let runner: RunnerProcess | null = null;
  const runIds: string[] = [];

  const environment = (): Record<string, string> => ({
    HOME: directory,
    LODGE_API_URL: api.url,
    LODGE_RUNNER_TOKEN: TEST_TOKEN,
    LODGE_DATA_DIR: directory,
    LODGE_CLAUDE_BIN: DOUBLE_CLAUDE,
  });
  const start = (changes: Record<string, string> = {}): RunnerProcess => {
    runner = startRunner({ ...environment(), ...changes });
    return runner;
  };
  const newConfig = () => {
    const runId = randomUUID();
    runIds.push(runId);
    return {
      sessionId: randomUUID(),
      runId,
      userId: "u",
      cwd: null,
      resumeId: randomUUID(),
      resume: false,
      model: null,
      effort: null,
      permissionMode: "default" as const,
      trust: false,
      allowBypass: false,
    };
  };
  const say = (link: TestConnection, runId: string, text: string, inputId: string = randomUUID()) =>
    link.request({
      method: "write",
      runId,
      line: encodeUserLine({ inputId, text, contentBlocks: [] }),
    });
  const results = (link: TestConnection, runId: string): number =>
    link
      .run(runId)
      .messages()
      .filter(({ type }) => type === "result").length;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "lodge-daemon-"));
    api = await TestApi.open();
  });
  afterEach(async () => {
    api.connections.at(-1)?.send({ type: "disown", runIds });
    await vi.waitUntil(() => !runIds.some(hasMarkedProcess), patience);
    if (runner?.child.exitCode === null) await runner.kill("SIGTERM");
    await api.close();
    runIds.length = 0;
    await rm(directory, { recursive: true, force: true });
  });

  it("starts a run, carries its turns, ends it and lets it go", async () => {
    start();
    const link = await api.connection(1);
    expect(link.hello).toMatchObject({ runnerId: "local", generation: 1, runs: [] });
    expect(link.hello.facts).toMatchObject({ accounts: false, problem: null, cliVersion: "0.0.0" });
    const config = newConfig();
    const facts = (await link.request({ method: "spawn", config })) as RunFacts;
    expect(facts.alive).toBe(true);
    const line = encodeInitialize(`init-${config.runId}`);
    await link.request({ method: "write", runId: config.runId, line });
    await say(link, config.runId, "hello");
    await expect.poll(() => results(link, config.runId), patience).toBe(1);
    await link.request({ method: "end", runId: config.runId });
    await expect.poll(() => link.run(config.runId).exited, patience).not.toBeNull();
    const { exited, position } = link.run(config.runId);
    expect(exited?.exit).toMatchObject({ code: 0, cause: "stopped" });
    expect(exited?.position).toEqual(position);
    await link.request({ method: "release", runId: config.runId });
    const adopted = await link.request({ method: "adopt", runId: config.runId, position: START });
    expect(adopted).toBeNull();
    expect(await readdir(join(directory, "runner/runs"))).toEqual([]);
  });

  it("killed with -9 in the middle of a turn, its successor goes on where the api was", async () => {
    const first = start();
    const link = await api.connection(1);
    const config = newConfig();
    const facts = (await link.request({ method: "spawn", config })) as RunFacts;
    const inputId = randomUUID();
    await say(link, config.runId, "!line before\n!wait 700\n!line after\n!huge 3000000", inputId);
    await expect.poll(() => link.run(config.runId).texts(), patience).toContain("before");
    await first.kill("SIGKILL");
    const { position, lines } = link.run(config.runId);

    start();
    const again = await api.connection(2);
    expect(again.hello.generation).toBeGreaterThan(link.hello.generation);
    expect(again.hello.runs).toEqual([
      { runId: config.runId, sessionId: config.sessionId, alive: true },
    ]);
    const adopted = await again.request({ method: "adopt", runId: config.runId, position });
    expect(adopted).toEqual(facts);
    // What was not acknowledged is sent again, and was written already.
    expect(await say(again, config.runId, "!line twice", inputId)).toMatchObject({
      duplicate: true,
    });
    await expect.poll(() => results(again, config.runId), patience).toBe(1);
    await say(again, config.runId, "follow-up");
    await expect.poll(() => results(again, config.runId), patience).toBe(2);
    const numbers = [...lines, ...again.run(config.runId).lines].map(({ line }) => line);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(again.run(config.runId).texts()).toContain("after");
    expect(again.run(config.runId).texts()).not.toContain("twice");
  });

  it.skipIf(pinned === null)(
    "the same with the real CLI: killed while it streams, every line once, one process",
    async () => {
      const model = await startModel();
      onTestFinished(() => model.close());
      const file = join(directory, "run.env");
      await writeFile(file, `ANTHROPIC_BASE_URL=${model.url}\nANTHROPIC_API_KEY=sk-ant-fake-000\n`);
      const real = { LODGE_RUN_ENV_FILE: file, LODGE_CLAUDE_BIN: "" };
      const first = start(real);
      const link = await api.connection(1);
      expect(link.hello.facts.cliVersion).toBe(pinned?.version);
      const config = newConfig();
      const facts = (await link.request({ method: "spawn", config })) as RunFacts;
      const { runId } = config;
      await say(
        link,
        runId,
        "@slow 20\n@text one two three four five six seven eight nine ten\n@pause 900\n@pad 64",
      );
      await vi.waitUntil(() => link.run(runId).texts().join().includes("three"), patience);
      await first.kill("SIGKILL");
      const { position, lines } = link.run(runId);

      start(real);
      const again = await api.connection(2);
      expect(await again.request({ method: "adopt", runId, position })).toEqual(facts);
      await expect.poll(() => results(again, runId), patience).toBe(1);
      await say(again, runId, "@text Next.");
      await expect.poll(() => results(again, runId), patience).toBe(2);
      const numbers = [...lines, ...again.run(runId).lines].map(({ line }) => line);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const whole = [...link.run(runId).messages(), ...again.run(runId).messages()];
      const deltas = whole.flatMap(({ event }) => {
        const { type, delta } = (event ?? {}) as { type?: string; delta?: { text?: string } };
        return type === "content_block_delta" && delta?.text !== undefined ? [delta.text] : [];
      });
      expect(deltas.join("")).toContain("one two three four five six seven eight nine ten");
    },
  );

  it("a run that ended while no runner was there reports its end to the next one", async () => {
    const first = start();
    const link = await api.connection(1);
    const config = newConfig();
    await link.request({ method: "spawn", config });
    await say(link, config.runId, "!wait 300\n!stderr its last words\n!exit 7");
    await expect.poll(() => link.run(config.runId).lines.length, patience).toBe(2);
    expect(await first.kill("SIGTERM")).toBe(0);
    await expect.poll(() => hasMarkedProcess(config.runId), patience).toBe(false);
    start();
    const again = await api.connection(2);
    expect(again.hello.runs).toMatchObject([{ runId: config.runId, alive: false }]);
    await again.request({ method: "adopt", runId: config.runId, position: START });
    await expect.poll(() => again.run(config.runId).exited, patience).not.toBeNull();
    expect(again.run(config.runId).exited?.exit).toEqual({
      code: 7,
      signal: null,
      cause: "exited",
      stderr: "its last words\n",
    });
  });

  it("SIGTERM leaves the runs; SIGINT ends them as the host's end and waits until the api has it", async () => {
    const first = start();
    const link = await api.connection(1);
    const config = newConfig();
    await link.request({ method: "spawn", config });
    expect(await first.kill("SIGTERM")).toBe(0);
    expect(hasMarkedProcess(config.runId)).toBe(true);
    const second = start();
    const again = await api.connection(2);
    await again.request({ method: "adopt", runId: config.runId, position: START });
    const gone = second.kill("SIGINT");
    await expect.poll(() => again.run(config.runId).exited, patience).not.toBeNull();
    expect(again.run(config.runId).exited?.exit.cause).toBe("host");
    await again.request({ method: "release", runId: config.runId });
    expect(await gone).toBe(0);
    expect(hasMarkedProcess(config.runId)).toBe(false);
  });

  it("ends and drops the runs that nobody wants, and no other", async () => {
    start();
    const link = await api.connection(1);
    const [wanted, unwanted] = [newConfig(), newConfig()];
    await link.request({ method: "spawn", config: wanted });
    await link.request({ method: "spawn", config: unwanted });
    link.send({ type: "disown", runIds: [unwanted.runId] });
    await expect.poll(() => hasMarkedProcess(unwanted.runId), patience).toBe(false);
    expect(hasMarkedProcess(wanted.runId)).toBe(true);
    await expect
      .poll(() => readdir(join(directory, "runner/runs")), patience)
      .toEqual([wanted.runId]);
  });

  it("a CLI that is missing is said in its facts, and to whoever wants a run", async () => {
    start({ LODGE_CLAUDE_BIN: "/no/such/claude" });
    const link = await api.connection(1);
    const problem = "LODGE_CLAUDE_BIN is /no/such/claude, which is not an executable file.";
    expect(link.hello.facts).toMatchObject({ claudeBin: null, problem });
    const config = newConfig();
    await expect(link.request({ method: "spawn", config })).rejects.toMatchObject({
      code: "cli_missing",
      message: problem,
    });
  });

  it("a second runner on the same directory says so and does not start", async () => {
    start();
    await api.connection(1);
    const second = startRunner(environment());
    await expect.poll(() => second.child.exitCode, patience).toBe(1);
    expect(second.output()).toMatch(/^The data directory .* is in use by another runner/);
  });

  it("shows a run no variable of its own environment but those that are meant for it", async () => {
    const file = join(directory, "run.env");
    await writeFile(file, "ANTHROPIC_API_KEY=sk-fake\nLD_PRELOAD=/tmp/evil.so\n");
    start({ LODGE_RUN_ENV_FILE: file, DATABASE_URL: "postgres://secret", CLAUDECODE: "1" });
    const link = await api.connection(1);
    const config = newConfig();
    await link.request({ method: "spawn", config });
    await say(link, config.runId, "!env");
    await expect.poll(() => results(link, config.runId), patience).toBe(1);
    const said = link.run(config.runId).texts().join("\n");
    expect(said).toContain("sk-fake");
    for (const secret of [
      TEST_TOKEN,
      "postgres://secret",
      "evil.so",
      "CLAUDECODE",
      "LODGE_API_URL",
    ]) {
      expect(said).not.toContain(secret);
    }
  });

  it.skipIf(!existsSync("/bin/bash"))(
    "hands on no descriptor that it was started with",
    async () => {
      runner = startRunner(environment(), { leak: "/dev/zero" });
      const link = await api.connection(1);
      const config = newConfig();
      await link.request({ method: "spawn", config });
      await say(link, config.runId, "!fds");
      await expect.poll(() => results(link, config.runId), patience).toBe(1);
      const said = link.run(config.runId).texts().join();
      expect(said).toContain("stdout.ndjson");
      expect(said).not.toContain("/dev/zero");
    },
  );
});
