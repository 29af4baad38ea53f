/** What a runner makes of what it finds on the disk, and of wishes that it cannot grant. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { START, type ProcessLine } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isRunning, readStat } from "../spawn/proc.ts";
import { runProgram } from "../spawn/run-program.ts";
import { parseIdentity } from "../spawn/identity.ts";
import { Conversation } from "../testing/conversation.ts";
import { DOUBLE_CLAUDE } from "../testing/index.ts";
import { RunnerFixture } from "../testing/runner-fixture.ts";
import { spawners } from "../testing/spawners.ts";

const patience = { timeout: 5_000, interval: 5 };
const [plain] = spawners;

describe("RunTable", () => {
  let fixture: RunnerFixture;

  async function create(changes: { claudeBin?: string; maxRuns?: number } = {}): Promise<void> {
    if (plain === undefined) throw new Error("there always is a spawner");
    fixture = await RunnerFixture.create({
      spawner: plain.spawner,
      claudeBin: DOUBLE_CLAUDE,
      dependencies: {
        punch: async (path, bytes) => {
          const args = ["--punch-hole", "--offset", "0", "--length", String(bytes), path];
          const env = { PATH: process.env["PATH"] ?? "" };
          return (await runProgram("fallocate", args, { env, timeoutMs: 5_000 })).code === 0;
        },
      },
      ...changes,
    });
  }
  beforeEach(() => create());
  afterEach(() => fixture.close());

  const spoolOf = (runId: string): string => join(fixture.directory, "runs", runId);
  const rewrite = async (runId: string, name: string, change: (text: string) => string) => {
    const path = join(spoolOf(runId), name);
    await writeFile(path, change(await readFile(path, "utf8")));
  };
  async function startRun(): Promise<Conversation> {
    const { adapter } = await fixture.open();
    return new Conversation(await adapter.spawn(fixture.config()));
  }

  it("two spawns of one run at the same time start one process", async () => {
    const { adapter } = await fixture.open();
    const config = fixture.config();
    const [first, second] = await Promise.all([adapter.spawn(config), adapter.spawn(config)]);
    expect(first?.processId).toBe(second?.processId);
  });

  it("a run of an earlier life of the host ended with it, and its process number is nobody's to kill", async () => {
    const bystander = spawn("sleep", ["1000"], { stdio: "ignore" });
    const talk = await startRun();
    const { runId } = talk.handle;
    await talk.handle.end();
    await fixture.letGo();
    const place = readStat(bystander.pid ?? 0);
    await writeFile(
      join(spoolOf(runId), "id"),
      `init some-other-boot ${bystander.pid} (sh) S 1 1 1 ${"0 ".repeat(15)}${place?.startTime}\n`,
    );
    await writeFile(join(spoolOf(runId), "exit"), "");
    await writeFile(join(spoolOf(runId), "ending"), "");
    await rewrite(runId, "run.json", (text) =>
      text.replace(/"hostId":"[^"]*"/, '"hostId":"other 1"'),
    );
    const { adapter } = await fixture.open();
    const adopted = await adapter.adopt(runId, START);
    expect(await adopted?.exited).toMatchObject({ code: null, cause: "host" });
    await adopted?.end();
    expect(isRunning(readStat(bystander.pid ?? 0))).toBe(true);
    bystander.kill("SIGKILL");
  });

  it("a number that belongs to another process by now is not taken for the run", async () => {
    const bystander = spawn("sleep", ["1000"], { stdio: "ignore" });
    const talk = await startRun();
    const { runId } = talk.handle;
    await talk.handle.end();
    await fixture.letGo();
    await writeFile(join(spoolOf(runId), "exit"), "");
    await rewrite(runId, "id", (text) => text.replace(/^(init \S+) \d+/, `$1 ${bystander.pid}`));
    const { adapter } = await fixture.open();
    const adopted = await adapter.adopt(runId, START);
    expect((await adopted?.exited)?.cause).toBe("stopped");
    expect(isRunning(readStat(bystander.pid ?? 0))).toBe(true);
    bystander.kill("SIGKILL");
  });

  it("a run lives on when its wrapper is killed, and its end is seen all the same", async () => {
    const talk = await startRun();
    const { runId } = talk.handle;
    const identity = parseIdentity(await readFile(join(spoolOf(runId), "id"), "latin1"));
    process.kill(identity?.parent ?? 0, "SIGKILL");
    expect(await talk.turn("still there?")).toMatchObject({ subtype: "success" });
    await talk.send("!exit 6");
    expect(await talk.handle.exited).toMatchObject({ code: 6, cause: "exited" });
  });

  it("says in the run's stderr that its pump died: the CLI then met its end of input", async () => {
    const talk = await startRun();
    await talk.turn("hello");
    const identity = parseIdentity(
      await readFile(join(spoolOf(talk.handle.runId), "id"), "latin1"),
    );
    const { stdout } = await runProgram(
      "ps",
      ["-o", "pid=,comm=", "--ppid", String(identity?.pid)],
      {
        env: { PATH: process.env["PATH"] ?? "" },
        timeoutMs: 5_000,
      },
    );
    const pump = /(\d+) tail/.exec(stdout)?.[1];
    process.kill(Number(pump), "SIGKILL");
    const { code, stderr } = await talk.handle.exited;
    expect(code).toBe(0);
    expect(stderr).toContain("the pump of stdin had died");
  });

  it("a record without a process, from a start that was cut short, is no record", async () => {
    const talk = await startRun();
    const { runId } = talk.handle;
    await talk.handle.end();
    await fixture.letGo();
    await writeFile(join(spoolOf(runId), "id"), "init half-writ");
    await mkdir(join(fixture.directory, "runs", "some-other-thing"));
    await mkdir(join(fixture.directory, "runs", "released.gone"));
    const { adapter, table } = await fixture.open();
    expect(await adapter.adopt(runId, START)).toBeNull();
    expect(table.list()).toEqual([]);
    expect(await readdir(join(fixture.directory, "runs"))).toEqual(["some-other-thing"]);
  });

  it("refuses what cannot be started in words for a person, and keeps no record of it", async () => {
    const { adapter } = await fixture.open();
    const file = join(fixture.directory, "file");
    await writeFile(file, "");
    const refused = (changes: Parameters<RunnerFixture["config"]>[0]) =>
      adapter.spawn(fixture.config(changes)).catch((error: unknown) => error);
    expect(await refused({ cwd: "/no/such/place" })).toMatchObject({
      code: "cwd_missing",
      message: "The working directory /no/such/place does not exist.",
    });
    expect(await refused({ cwd: file })).toMatchObject({ code: "cwd_missing" });
    expect(await refused({ cwd: "relative" })).toMatchObject({ code: "cwd_missing" });
    expect(await refused({ userId: "../.." })).toMatchObject({ code: "bad_config" });
    expect(await refused({ runId: "../escape" })).toMatchObject({ code: "bad_run_id" });
    fixture.useClaude("/no/such/claude");
    expect(await readdir(join(fixture.directory, "runs"))).toEqual([]);
  });

  it("takes no more runs than it may", async () => {
    await fixture.close();
    await create({ maxRuns: 1 });
    const { adapter } = await fixture.open();
    await adapter.spawn(fixture.config());
    await expect(adapter.spawn(fixture.config())).rejects.toMatchObject({
      code: "runner_full",
      message: expect.stringContaining("LODGE_MAX_RUNS") as string,
    });
  });

  it("gives each session one directory of its own, for all its runs", async () => {
    const { adapter } = await fixture.open();
    const config = fixture.config();
    await adapter.spawn(config);
    const directory = join(fixture.directory, "homes", config.userId, config.sessionId);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const other = new Conversation(
      await adapter.spawn(fixture.config({ sessionId: config.sessionId })),
    );
    await other.turn("!line {}");
    expect(other.messages[0]).toMatchObject({ cwd: directory });
  });

  it("gives back the disk of what is safe elsewhere, and goes on behind it", async () => {
    const talk = await startRun();
    const { runId } = talk.handle;
    await talk.turn(`!huge ${24 * 1024 * 1024}`);
    const path = join(spoolOf(runId), "stdout.ndjson");
    const { size, blocks } = await stat(path);
    talk.handle.committed({ line: 3, offset: size - 2_000 });
    await vi.waitUntil(() => existsSync(join(spoolOf(runId), "ack.json")), patience);
    await vi.waitUntil(async () => (await stat(path)).blocks < blocks / 10, patience);
    expect((await stat(path)).size).toBe(size);
    await talk.turn("hello");
    const { adapter } = await fixture.open();
    const adopted = await adapter.adopt(runId, START);
    await adopted?.end();
    const lines: ProcessLine[] = [];
    for await (const line of adopted?.lines ?? []) lines.push(line);
    expect(lines[0]?.line).toBe(4);
    expect(lines.every(({ bytes }) => !bytes.includes(0))).toBe(true);
  });
});
