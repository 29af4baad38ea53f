import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endProcess, identify, isAlive, parentOf, signalProcess } from "./identity.ts";

test("a process is known by more than its pid", () => {
  const self = identify(process.pid);
  if (self === undefined) throw new Error("we are alive");
  expect(isAlive(self)).toBe(true);
  expect(isAlive({ ...self, startTime: "1" })).toBe(false);
  expect(isAlive({ ...self, bootId: "another boot" })).toBe(false);
});

test("a process with another start time gets no signal", () => {
  const self = identify(process.pid);
  if (self === undefined) throw new Error("we are alive");
  // Would end the test run if it were delivered.
  signalProcess({ ...self, startTime: "1" }, "SIGKILL");
  expect(isAlive(self)).toBe(true);
});

test("the ladder goes on to the next rung when a signal is ignored", async () => {
  const child = spawn("sh", ["-c", 'trap "" TERM; echo ready; while :; do sleep 1; done'], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error("it is alive");
  expect(parentOf(identity.pid)?.pid).toBe(process.pid);
  const exited = once(child, "exit");
  await endProcess(identity, [
    { signal: "SIGTERM", patienceMs: 50 },
    { signal: "SIGKILL", patienceMs: 5_000 },
  ]);
  expect(await exited).toEqual([null, "SIGKILL"]);
});

test("a name with spaces and parentheses does not confuse it", async () => {
  const child = spawn(
    process.execPath,
    ["-e", 'process.title = "a ) R (b"; console.log(1); setInterval(() => {}, 1e3)'],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  await once(child.stdout, "data");
  expect(identify(child.pid ?? 0)?.startTime).toMatch(/^\d+$/);
  child.kill("SIGKILL");
  await once(child, "exit");
});
