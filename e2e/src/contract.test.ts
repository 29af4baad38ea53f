/** DESIGN's outside contract on the real stack: real Postgres, real runner, real CLI, scripted model. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionEvent } from "@lodge/protocol";
import { isType, seqsOf, textOf, type Browser } from "./browser.ts";
import { House, waitFor } from "./house.ts";

let house: House;
let browser: Browser;
beforeAll(async () => {
  house = await House.start();
  browser = await house.signIn();
});
afterAll(() => house[Symbol.asyncDispose]());

const slow = (words: number): string => `@slow 50\n@text ${"word ".repeat(words)}`;
const askFor = (command: string): string =>
  `@tool Bash ${JSON.stringify({ command, description: "try" })}\n@then\n@text Went on.`;

describe("a conversation", () => {
  it("[L1] prompt, events to turn:end, and a follow-up served by the same process", async () => {
    const id = await browser.session({ prompt: "@text Hello, **house**." });
    const first = await browser.until(id, 0, isType("turn:end"));
    expect(textOf(first)).toBe("Hello, **house**.");
    expect(seqsOf(first)).toEqual(first.map((_, index) => index + 1));
    const sent = await browser.post(`/api/sessions/${id}/send`, { input: "@text And again." });
    expect(sent.status).toBe(202);
    const second = await browser.until(id, first.length, isType("turn:end"));
    expect(textOf(second)).toBe("And again.");
    const runs = new Set([...first, ...second].map((event) => event.runId).filter(Boolean));
    expect(runs.size).toBe(1);
  });

  it("[P2] prompts are answered both ways, once; the second answer is told", async () => {
    const id = await browser.session({ prompt: askFor("mkfifo allowed") });
    const asked = await browser.until(id, 0, isType("permission:requested"));
    const requestId = requestOf(asked);
    const answer = (body: unknown) =>
      browser.post(`/api/sessions/${id}/permissions/${requestId}`, body);
    expect((await answer({ behavior: "allow" })).status).toBe(200);
    const again = await answer({ behavior: "deny" });
    expect(again.status).toBe(409);
    expect(again.body.error.code).toBe("already_resolved");
    const rest = await browser.until(id, asked.length, isType("turn:end"));
    expect(rest.find(isType("result"))).toMatchObject({ data: { blocks: [{ isError: false }] } });

    await browser.post(`/api/sessions/${id}/send`, { input: askFor("mkfifo refused") });
    const askedAgain = await browser.until(
      id,
      asked.length + rest.length,
      isType("permission:requested"),
    );
    await browser.post(`/api/sessions/${id}/permissions/${requestOf(askedAgain)}`, {
      behavior: "deny",
      message: "Not this one.",
    });
    const denied = await browser.until(id, askedAgain.at(-1)?.seq ?? 0, isType("turn:end"));
    expect(JSON.stringify(denied.find(isType("result")))).toContain("Not this one.");
  });

  it("[A7] a slow turn is stopped within 2 s and the process is kept", async () => {
    const id = await browser.session({ prompt: slow(400) });
    const begun = await browser.until(id, 0, isType("turn:start"));
    const runId = begun.find(isType("run:start"))?.runId;
    const asked = Date.now();
    expect((await browser.post(`/api/sessions/${id}/stop`)).body).toEqual({ scope: "turn" });
    const stopped = await browser.until(id, 0, isType("turn:end"));
    expect(Date.now() - asked).toBeLessThan(2_000);
    await browser.post(`/api/sessions/${id}/send`, { input: "@text Still here." });
    const next = await browser.until(id, stopped.length, isType("turn:end"));
    expect(textOf(next)).toBe("Still here.");
    expect(next.every((event) => event.runId === null || event.runId === runId)).toBe(true);
  });

  it("[I1] one inputId, sent twice, reaches the CLI once", async () => {
    const id = await browser.session({ prompt: "@text Ready." });
    await browser.until(id, 0, isType("turn:end"));
    const inputId = randomUUID();
    const send = () =>
      browser.post(`/api/sessions/${id}/send`, { input: `@text Once ${inputId}.`, inputId });
    const [one, two] = await Promise.all([send(), send()]);
    expect(one.body).toEqual(two.body);
    expect((await send()).body).toEqual(one.body);
    await waitFor(
      "the turn",
      async () => (await browser.history(id)).filter(isType("turn:end")).length === 2,
    );
    const all = await browser.history(id);
    expect(all.filter(isType("input:queued"))).toHaveLength(2);
    expect(
      house.model.requests().filter((request) => JSON.stringify(request).includes(inputId)),
    ).toHaveLength(1);
  });

  it("[S2] a promptless session is idle and alive", async () => {
    const id = await browser.session({});
    expect((await browser.post(`/api/sessions/${id}/start`)).status).toBe(200);
    await browser.until(id, 0, isType("run:ready"));
    const { body } = await browser.get(`/api/sessions/${id}`);
    expect(body).toMatchObject({ status: "idle", processAlive: true, activity: "idle" });
  });

  it("[T2] a turn that starts by itself is shown as a turn", async () => {
    const command = { command: "sleep 1", run_in_background: true, description: "Wait" };
    const id = await browser.session({
      prompt: `@tool Bash ${JSON.stringify(command)}\n@then\n@text Started.`,
    });
    const asked = await browser.until(
      id,
      0,
      (event) => isType("permission:requested")(event) || isType("turn:end")(event),
    );
    if (asked.at(-1)?.type === "permission:requested")
      await browser.post(`/api/sessions/${id}/permissions/${requestOf(asked)}`, {
        behavior: "allow",
      });
    const own = await browser.until(
      id,
      0,
      (event) => event.type === "turn:end" && event.data.origin !== null,
    );
    expect(own.filter(isType("turn:start"))).toHaveLength(2);
    expect(own.filter(isType("input:queued"))).toHaveLength(1);
  });
});

describe("reading", () => {
  it("[L2] two viewers see the same events; `after` gives exactly the rest; past the tail resets", async () => {
    const id = await browser.session({ prompt: "@text One." });
    const [a, b] = await Promise.all([
      browser.until(id, 0, isType("turn:end")),
      browser.until(id, 0, isType("turn:end")),
    ]);
    expect(a).toEqual(b);
    for (const after of [1, 3, a.length - 1]) {
      const rest = await browser.until(id, after, isType("turn:end"));
      expect(rest).toEqual(a.slice(after));
    }
    for await (const frame of browser.follow(id, a.length + 500)) {
      expect(frame).toMatchObject({
        event: "snapshot",
        data: { reset: true, seq: a.length, from: 1 },
      });
      break;
    }
    for await (const frame of browser.follow(id, 0, { "last-event-id": "2" })) {
      expect(frame).toMatchObject({
        event: "snapshot",
        id: a.length,
        data: { reset: false, from: 3 },
      });
      break;
    }
    expect(await browser.history(id)).toEqual(a);
  });

  it("[D2] who joins in the middle of a message sees it from its beginning", async () => {
    const id = await browser.session({ prompt: slow(60) });
    let early = "";
    for await (const frame of browser.follow(id, 0)) {
      if (frame.event === "delta") early += frame.data.text;
      if (early.length > 40) break;
    }
    let text = "";
    let holes = 0;
    for await (const frame of browser.follow(id, 0)) {
      if (frame.event === "delta" && frame.data.kind === "text") {
        if (frame.data.offset !== text.length) holes++;
        text += frame.data.text;
      }
      if (frame.event === "session" && frame.data.type === "content") break;
    }
    expect(holes).toBe(0);
    expect(text.startsWith(early.slice(0, 40))).toBe(true);
    await browser.until(id, 0, isType("turn:end"));
  });
});

describe("after kill -9 of the api in the middle of a turn", () => {
  it("[A5] the turn goes on in the same run, and the log has no gap", async () => {
    const id = await browser.session({ prompt: slow(80) });
    for await (const frame of browser.follow(id, 0))
      if (frame.event === "delta" && frame.data.text) break;
    await house.kill("api");
    const all = await browser.until(id, 0, isType("turn:end"));
    expect(textOf(all)).toBe("word ".repeat(80).trim());
    expect(seqsOf(all)).toEqual(all.map((_, index) => index + 1));
    expect(new Set(all.map((event) => event.runId).filter(Boolean)).size).toBe(1);
    expect(await browser.history(id)).toEqual(all);
  });

  it("[A5] the runner daemon likewise", async () => {
    const id = await browser.session({ prompt: slow(80) });
    for await (const frame of browser.follow(id, 0))
      if (frame.event === "delta" && frame.data.text) break;
    await house.kill("runner");
    const all = await browser.until(id, 0, isType("turn:end"));
    expect(textOf(all)).toBe("word ".repeat(80).trim());
    expect(new Set(all.map((event) => event.runId).filter(Boolean)).size).toBe(1);
  });
});

const requestOf = (events: readonly SessionEvent[]): string => {
  const last = events.findLast(isType("permission:requested"));
  if (last?.type !== "permission:requested") throw new Error("no prompt");
  return last.data.requestId;
};
