/** The seam's contract, kept by the interactive adapter on every tier that works here. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processAdapterContract, scriptedChild } from "@lodge/protocol/testing";
import { describe } from "vitest";
import { RunnerFixture } from "../testing/runner-fixture.ts";
import { spawners } from "../testing/spawners.ts";

for (const { name, spawner, missing } of spawners) {
  describe.skipIf(missing !== null)(`on ${name}`, () => {
    processAdapterContract("ClaudeInteractiveAdapter", async (script) => {
      const fixture = await RunnerFixture.create({ spawner, claudeBin: "set below" });
      const claudeBin = join(fixture.directory, "scripted");
      const received = join(fixture.directory, "received");
      await writeFile(claudeBin, scriptedChild(script, received));
      await chmod(claudeBin, 0o755);
      fixture.useClaude(claudeBin);
      const { adapter } = await fixture.open();
      return {
        adapter,
        config: fixture.config(),
        received: async () => {
          const text = await readFile(received, "utf8").catch(() => "");
          return text.split("\n").slice(0, -1);
        },
        reopen: async () => (await fixture.open()).adapter,
        dispose: () => fixture.close(),
      };
    });
  });
}
