/** Ending runs that do not want to end. Stopped means gone. */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { START } from "@lodge/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Conversation } from "../testing/conversation.ts";
import { DOUBLE_CLAUDE } from "../testing/index.ts";
import { RunnerFixture } from "../testing/runner-fixture.ts";
import { spawners } from "../testing/spawners.ts";
import { END_PATIENCE } from "./end-run.ts";

const patience = { timeout: 5_000, interval: 5 };

for (const { name, spawner, missing } of spawners) {
  describe.skipIf(missing !== null)(`ending a run: ${name}`, () => {
    let fixture: RunnerFixture;

    beforeEach(async () => {
      fixture = await RunnerFixture.create({
        spawner,
        claudeBin: DOUBLE_CLAUDE,
        dependencies: { patience: END_PATIENCE },
      });
    });
    afterEach(() => fixture.close());

    const beats = async (): Promise<number> =>
      (await stat(join(fixture.directory, "beats")).catch(() => ({ size: 0 }))).size;

    async function expectStill(): Promise<void> {
      const before = await beats();
      // Absence can only be waited for: a hundred times the length of a hop.
      await delay(200);
      expect(await beats()).toBe(before);
    }

    const start = async (): Promise<Conversation> => {
      const { adapter } = await fixture.open();
      return new Conversation(await adapter.spawn(fixture.config()));
    };

    it("a tree that forks and leaves its session every few milliseconds is gone within 2 s", async () => {
      const talk = await start();
      await talk.turn(`!stubborn\n!hopper ${join(fixture.directory, "beats")}`);
      await vi.waitUntil(async () => (await beats()) > 20, patience);
      const begun = performance.now();
      await talk.handle.end();
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(talk.handle.alive).toBe(false);
      await expectStill();
      expect(await talk.handle.exited).toMatchObject({ cause: "stopped" });
    });

    it("a run whose directory somebody removed is ended all the same", async () => {
      await fixture.close();
      const complaints: string[] = [];
      fixture = await RunnerFixture.create({
        spawner,
        claudeBin: DOUBLE_CLAUDE,
        dependencies: { patience: END_PATIENCE, onError: (message) => complaints.push(message) },
      });
      const talk = await start();
      await talk.turn("hello");
      await rm(join(fixture.directory, "runs", talk.handle.runId), { recursive: true });
      await talk.handle.end();
      expect(talk.handle.alive).toBe(false);
      expect(await talk.handle.exited).toMatchObject({ cause: "stopped" });
      expect(complaints.join()).toContain("cannot note why it is ended");
    });

    it("the same after its holder was replaced", async () => {
      const talk = await start();
      await talk.turn(`!stubborn\n!hopper ${join(fixture.directory, "beats")}`);
      const { adapter } = await fixture.open();
      const adopted = await adapter.adopt(talk.handle.runId, START);
      const begun = performance.now();
      await adopted?.end();
      expect(performance.now() - begun).toBeLessThan(2_000);
      await expectStill();
    });

    it("a CLI that ends by itself takes what it started with it", async () => {
      const talk = await start();
      const file = join(fixture.directory, "sleeper");
      await talk.send(`!sleeper ${file}\n!exit 5`);
      expect(await talk.handle.exited).toMatchObject({ code: 5, cause: "exited" });
      expect(Number(await readFile(file, "utf8"))).toBeGreaterThan(1);
    });

    it("a CLI that is stopped, hangs, and ignores SIGTERM is gone within 2 s", async () => {
      const talk = await start();
      await talk.send("!stubborn\n!line {}\n!hang");
      await talk.next((message) => Object.keys(message).length === 0);
      await talk.handle.signal("SIGSTOP");
      const begun = performance.now();
      await talk.handle.end();
      expect(performance.now() - begun).toBeLessThan(2_000);
    });

    it("a CLI at rest ends as it is asked to, with its own exit code", async () => {
      const talk = await start();
      await talk.turn("hello");
      const begun = performance.now();
      await talk.handle.end();
      expect(performance.now() - begun).toBeLessThan(500);
      expect(await talk.handle.exited).toMatchObject({ code: 0, signal: null, cause: "stopped" });
    });

    it("a signal reaches the CLI alone, and its end says so", async () => {
      const talk = await start();
      await talk.turn("hello");
      await talk.handle.signal("SIGKILL");
      expect(await talk.handle.exited).toMatchObject({ signal: "SIGKILL", cause: "exited" });
    });
  });
}
