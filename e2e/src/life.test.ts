/** The house's own life: ended in order, killed, healed; both runs and the log come out right. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { isType, seqsOf, textOf } from "./browser.ts";
import { House, waitFor } from "./house.ts";

let house: House | null = null;
afterEach(async () => {
  await house?.[Symbol.asyncDispose]();
  house = null;
});

const slow = (words: number): string => `@slow 50\n@text ${"word ".repeat(words)}`;

it("[A6] Ctrl-C ends the runs first, the log says so, and nothing is left behind", async () => {
  house = await House.start();
  const browser = await house.signIn();
  const id = await browser.session({ prompt: slow(400) });
  await browser.until(id, 0, isType("turn:start"));
  expect(await house.interrupt()).toBe(0);
  expect(processesOf(house.dir)).toEqual([]);

  await house.restart();
  const again = await house.signIn();
  const log = await again.history(id);
  expect(log.at(-1)).toMatchObject({ type: "run:end", data: { reason: "server_restart" } });
  expect(seqsOf(log)).toEqual(log.map((_, index) => index + 1));
  await again.post(`/api/sessions/${id}/send`, { input: "@text Back again." });
  const next = await again.until(id, log.length, isType("turn:end"));
  expect(textOf(next)).toBe("Back again.");
  expect(next.find(isType("run:start"))).toMatchObject({ data: { config: { resume: true } } });
});

it("[A5] kill -9 of the whole supervisor: a new start heals, and the turn was never interrupted", async () => {
  house = await House.start();
  const browser = await house.signIn();
  const id = await browser.session({ prompt: slow(150) });
  await browser.until(id, 0, isType("turn:start"));
  await house.killSupervisor();
  await house.restart();
  const again = await house.signIn();
  const all = await again.until(id, 0, isType("turn:end"));
  expect(textOf(all)).toBe("word ".repeat(150).trim());
  expect(new Set(all.map((event) => event.runId).filter(Boolean)).size).toBe(1);
  expect(seqsOf(all)).toEqual(all.map((_, index) => index + 1));
});

it("[A7] ending a run leaves nothing of it: not what a tool put in a session of its own", async () => {
  house = await House.start();
  const browser = await house.signIn();
  const marker = `sleep 6${process.pid}`;
  const command = {
    command: `setsid sh -c '${marker} & ${marker}' & ${marker}`,
    description: "Leave things",
  };
  const id = await browser.session({
    prompt: `@tool Bash ${JSON.stringify(command)}\n@then\n@text Never.`,
  });
  const asked = await browser.until(id, 0, isType("permission:requested"));
  const prompt = asked.at(-1);
  await browser.post(
    `/api/sessions/${id}/permissions/${prompt?.type === "permission:requested" ? prompt.data.requestId : ""}`,
    { behavior: "allow" },
  );
  await waitFor("the tool's processes", () => commandsWith(marker).length >= 3);
  await browser.post(`/api/sessions/${id}/stop`, { scope: "run" });
  await browser.until(id, asked.length, isType("run:end"));
  expect(commandsWith(marker)).toEqual([]);
});

/** Command lines of processes that are no zombies. */
function commandsWith(text: string): string[] {
  return commandLines().filter((line) => line.includes(text) && !line.includes("claude-"));
}
function processesOf(dir: string): string[] {
  return commandLines().filter((line) => line.includes(dir));
}
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      } catch {
        // It ended while we looked.
        return "";
      }
    })
    .filter((line) => line !== "");
}
