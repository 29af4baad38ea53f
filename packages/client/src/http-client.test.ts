import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { createHttpClient } from "./http-client.ts";
import { makeFakeWorld } from "./testing/fake-world.ts";

function setUp(token?: string) {
  const world = makeFakeWorld();
  const options = { baseUrl: "http://lodge.test/base/", effects: world.effects };
  return { world, http: createHttpClient(token === undefined ? options : { ...options, token }) };
}
const errorBody = (code: string) => ({ error: { code, message: "words", requestId: "r-1" } });

describe("requests", () => {
  test("go to the base path, as JSON, with the page's cookie", async () => {
    const { world, http } = setUp();
    const login = http.login({ login: "ada", password: "secret" });
    expect(world.last()).toMatchObject({
      method: "POST",
      url: "http://lodge.test/base/api/auth/login",
      body: { login: "ada", password: "secret" },
      headers: { "content-type": "application/json" },
    });
    world.last().respond(200, { id: "u1", login: "ada" });
    expect(await login).toMatchObject({ id: "u1" });
  });

  test("carry a tool's token instead", () => {
    const { world, http } = setUp("lodge_abc");
    void http.me().catch(() => undefined);
    expect(world.last().headers["authorization"]).toBe("Bearer lodge_abc");
    expect(world.last().headers["content-type"]).toBeUndefined();
  });

  test("keep ids from leaving their path segment", () => {
    const { world, http } = setUp();
    void http.answer("s/1", "../x", { behavior: "deny", message: "no" }).catch(() => undefined);
    expect(world.last().path).toBe("/base/api/sessions/s%2F1/permissions/..%2Fx");
  });

  test("an answer without a body is no value", async () => {
    const { world, http } = setUp();
    const stop = http.stop("s1", { scope: "run" });
    world.last().respond(204);
    expect(await stop).toBeUndefined();
  });

  test("queries leave out what is not given", () => {
    const { world, http } = setUp();
    void http.history("s1", { before: 12, limit: 3 }).catch(() => undefined);
    expect(world.last().path).toBe("/base/api/sessions/s1/history?before=12&limit=3");
    void http.listSessions({ q: "a b", archived: true }).catch(() => undefined);
    expect(world.last().path).toBe("/base/api/sessions?q=a+b&archived=true");
  });
});

describe("errors", () => {
  test("carry the server's code, message and request id", async () => {
    const { world, http } = setUp();
    const me = http.me();
    world.last().respond(401, errorBody("unauthenticated"));
    await expect(me).rejects.toMatchObject({
      name: "ApiError",
      status: 401,
      code: "unauthenticated",
      message: "words",
      requestId: "r-1",
    });
  });

  test("a body that is not ours, and a success that is not JSON, are said to be that", async () => {
    const { world, http } = setUp();
    const first = http.me();
    world.last().respond(502, "<html>");
    await expect(first).rejects.toMatchObject({ status: 502, code: "bad_answer" });
    const second = http.me();
    const page = world.last().stream();
    page.write("<html>");
    page.end();
    await expect(second).rejects.toMatchObject({ status: 200, code: "bad_answer" });
  });

  test("no answer is status 0", async () => {
    const { world, http } = setUp();
    const me = http.me();
    world.last().fail();
    await expect(me).rejects.toMatchObject({ status: 0, code: "network" });
  });
});

describe("acts whose outcome is unknown", () => {
  test("an input is sent again with the same id until the server says", async () => {
    const { world, http } = setUp();
    const sent = http.send("s1", { input: "hi" });
    const { inputId } = world.last().body as { inputId: string };
    world.last().fail();
    await world.advance(1_000);
    world.last().respond(503, errorBody("outcome_unknown"));
    await world.advance(1_000);
    world.last().respond(504, "gateway");
    await world.advance(5_000);
    world.last().respond(202, { inputId, seq: 7 });
    expect(await sent).toEqual({ inputId, seq: 7 });
    expect(world.requests.map((request) => (request.body as { inputId: string }).inputId)).toEqual([
      inputId,
      inputId,
      inputId,
      inputId,
    ]);
  });

  test("a refusal is final", async () => {
    const { world, http } = setUp();
    const sent = http.send("s1", { input: "hi" });
    world.last().respond(503, errorBody("store_unavailable"));
    await expect(sent).rejects.toBeInstanceOf(ApiError);
    expect(world.requests).toHaveLength(1);
    expect(world.timers()).toBe(0);
  });

  test("after a minute a person decides", async () => {
    const { world, http } = setUp();
    const sent = http.createSession({ prompt: "hi" });
    const outcome = sent.catch((error: unknown) => error);
    for (let tries = 0; tries < 40 && world.last().signal?.aborted !== true; tries++) {
      world.last().fail();
      await world.advance(8_000);
    }
    expect(await outcome).toMatchObject({ code: "network" });
    const ids = new Set(world.requests.map((request) => (request.body as { id: string }).id));
    expect(ids.size).toBe(1);
    expect(world.timers()).toBe(0);
  });

  test("giving up ends the waiting", async () => {
    const { world, http } = setUp();
    const giveUp = new AbortController();
    const sent = http.send("s1", { input: "hi" }, giveUp.signal);
    world.last().fail();
    await world.settle();
    giveUp.abort();
    await expect(sent).rejects.toMatchObject({ code: "network" });
    expect(world.timers()).toBe(0);
  });
});
