/** Bad input, row by row: the right status, a body that helps, never a stack. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PASSWORD, TestApp, type Reply } from "./testing/test-app.ts";
import { describeDatabase } from "./testing/test-database.ts";

describeDatabase("bad input", () => {
  let app: TestApp;
  let cookie: string;
  let id: string;
  beforeAll(async () => {
    app = await TestApp.start();
    cookie = await app.signIn("ann");
    id = (await app.request("POST", "/api/sessions", {}, { cookie })).body.id;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const send = (body: unknown, headers: Record<string, string | undefined> = {}): Promise<Reply> =>
    app.request("POST", `/api/sessions/${id}/send`, body, { cookie, ...headers });

  it("[H5] every refusal has the error body, and nothing of ours in it", async () => {
    const replies = [
      await app.request("GET", "/api/nope", undefined, { cookie }),
      await app.request("GET", `/api/sessions/${randomUUID()}`, undefined, { cookie }),
      await send('{"a":'),
      await app.request("POST", "/api/auth/login", { login: "ann", password: "wrong" }),
    ];
    for (const { body, headers } of replies) {
      expect(body).toEqual({
        error: {
          code: expect.any(String),
          message: expect.any(String),
          requestId: headers.get("x-request-id"),
        },
      });
      expect(JSON.stringify(body)).not.toMatch(/\bat .*\.ts|select |node_modules/);
    }
  });

  it.each<[string, unknown, number, string]>([
    ["not JSON", '{"a":', 400, "invalid_json"],
    ["trailing garbage", '{"input":"x"} x', 400, "invalid_json"],
    ["not UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, "invalid_json"],
    [
      "nested beyond reason",
      `{"input":${"[".repeat(6000)}${"]".repeat(6000)}}`,
      400,
      "bad_request",
    ],
    ["an unknown field", { input: "x", role: "admin" }, 400, "bad_request"],
    ["a prototype", '{"input":"x","__proto__":{"a":1}}', 400, "bad_request"],
    ["no input", { input: "" }, 400, "bad_request"],
    ["an inputId that is no UUID", { input: "x", inputId: "1" }, 400, "bad_request"],
    ["another kind of delivery", { input: "x", deliver: "now" }, 400, "bad_request"],
    [
      "a picture that is none",
      {
        input: "",
        contentBlocks: [
          { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "AAAA" } },
        ],
      },
      400,
      "bad_request",
    ],
  ])("[H5] send: %s", async (_what, body, status, code) => {
    const reply = await send(body);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  it("[H5] a body that is too large, or of another type", async () => {
    expect((await send({ input: "x".repeat(33 * 1024 * 1024) })).status).toBe(413);
    for (const type of ["text/plain", "text/xml", "application/x-www-form-urlencoded", undefined])
      expect((await send("{}", { "content-type": type })).status).toBe(415);
  });

  it.each<[string, number]>([
    ["/api/sessions/not-a-uuid", 404],
    ["/api/sessions/..%2f..%2fetc%2fpasswd", 404],
    ["/api/sessions?cursor=zzz", 400],
    ["/api/sessions?status=dead", 400],
    ["/api/sessions?sort=%3Bdrop", 400],
    [`/api/sessions/ID/events?after=abc`, 400],
    [`/api/sessions/ID/events?after=-1`, 400],
    [`/api/sessions/ID/events?after=99999999999999999999`, 400],
    [`/api/sessions/ID/history?before=x`, 400],
    [`/api/sessions/ID/history?limit=-1`, 400],
    [`/api/sessions/ID/history?limit=1000000`, 200],
    [`/api/sessions/ID/blobs/..%2f..`, 404],
    [`/api/sessions/ID/blobs/%00`, 404],
    ["/api/sessions?q=%00", 400],
  ])("[H5] GET %s → %i", async (path, status) => {
    expect((await app.request("GET", path.replace("ID", id), undefined, { cookie })).status).toBe(
      status,
    );
  });

  it("[A1] an id in capitals is the same session, and the same input", async () => {
    const inputId = randomUUID();
    const path = (sessionId: string) => `/api/sessions/${sessionId}/send`;
    const one = await app.request("POST", path(id), { input: "x", inputId }, { cookie });
    const two = await app.request(
      "POST",
      path(id.toUpperCase()),
      { input: "x", inputId: inputId.toUpperCase() },
      { cookie },
    );
    expect([one.status, two.body]).toEqual([202, one.body]);
    expect(app.deps.manager.size).toBe(1);
  });

  it("[L3] a stream has no HEAD", async () => {
    for (const path of ["/api/stream", `/api/sessions/${id}/events`])
      expect((await app.request("HEAD", path, undefined, { cookie })).status).toBe(405);
  });

  it("[L4] a bad Last-Event-ID is ignored", async () => {
    for (const value of ["abc", "-1", "1e9", "9223372036854775808"]) {
      const reply = await app.request("GET", `/api/sessions/${id}/events`, undefined, {
        cookie,
        "last-event-id": value,
      });
      expect(reply.status).toBe(200);
    }
  });

  it("[H6] changes come from our own pages only", async () => {
    for (const origin of [
      undefined,
      "null",
      "https://localhost:4400",
      "http://localhost:4401",
      "http://evil.example",
      "http://localhost:4400.evil.example",
    ])
      expect((await send({ input: "x" }, { origin })).status, String(origin)).toBe(403);
    expect((await send({ input: "x" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const name of ["127.0.0.1", "[::1]"])
      expect(
        (
          await app.request(
            "POST",
            `/api/sessions/${id}/stop`,
            {},
            { cookie, host: `${name}:4400`, origin: `http://${name}:4400` },
          )
        ).status,
      ).toBe(202);
  });

  it("[H6] another host name is not answered", async () => {
    for (const host of ["evil.example", "evil.example:4400", "localhost.evil.example"])
      expect((await app.request("GET", "/api/auth/me", undefined, { cookie, host })).status).toBe(
        421,
      );
  });

  it("[H6] two cookies of one name, or a cookie and a token, are never chosen between", async () => {
    expect(
      (await app.request("GET", "/api/auth/me", undefined, { cookie: `${cookie}; ${cookie}` }))
        .status,
    ).toBe(400);
    const both = await app.request("GET", "/api/auth/me", undefined, {
      cookie,
      authorization: "Bearer x",
    });
    expect(both.body.error.code).toBe("ambiguous_auth");
    expect(
      (await app.request("GET", "/api/auth/me", undefined, { authorization: "Bearer x" })).status,
    ).toBe(401);
  });

  it("[H7] every answer carries the headers that keep a page harmless", async () => {
    const { headers } = await app.request("GET", "/healthz");
    expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    const api = await app.request("GET", "/api/auth/me", undefined, { cookie });
    expect(api.headers.get("cache-control")).toBe("no-store");
  });

  it("[H8] guessing is slowed down, and unknown logins are answered like known ones", async () => {
    const guess = (login: string) =>
      app.request("POST", "/api/auth/login", { login, password: "wrong password" });
    const [known, unknown] = [await guess("bob"), await guess("nobody-here")];
    expect({ ...known.body.error, requestId: "" }).toEqual({
      ...unknown.body.error,
      requestId: "",
    });
    expect(known.status).toBe(401);
    for (let i = 0; i < 5; i++) await guess("bob");
    const slowed = await app.request("POST", "/api/auth/login", {
      login: "bob",
      password: PASSWORD,
    });
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("[H9] modes and models are validated, and bypass is not for everybody", async () => {
    const config = (body: unknown) =>
      app.request("POST", `/api/sessions/${id}/config`, body, { cookie });
    expect((await config({ permissionMode: "nonsense" })).status).toBe(400);
    expect((await config({ model: "--dangerously-skip-permissions" })).status).toBe(400);
    expect((await config({})).status).toBe(400);
    expect((await config({ permissionMode: "bypassPermissions" })).status).toBe(403);
    expect(
      (await config({ permissionMode: "plan", model: "opus[1m]", effort: "high" })).status,
    ).toBe(200);
  });

  it("[H9] the document of the contract names every route", async () => {
    const { body } = await app.request("GET", "/api/openapi.json");
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        "/auth/login",
        "/sessions",
        "/sessions/{id}/events",
        "/sessions/{id}/permissions/{requestId}",
        "/stream/{streamId}",
      ]),
    );
  });
});

describeDatabase("the first admin", () => {
  it("[H10] is made once, by whoever has the secret, however many try", async () => {
    await using app = await TestApp.start();
    const { users } = await import("./storage/schema.ts");
    const { openDatabase } = await import("./storage/database.ts");
    const house = openDatabase(app.deps.env.databaseUrl);
    await house.db.delete(users);
    await house.close();
    const secret = await app.deps.users.issueSetupSecret(new Date(Date.now() + 60_000));
    const setup = (login: string, by = secret) =>
      app.request("POST", "/api/auth/setup", {
        secret: by,
        login,
        password: "a long enough password",
      });
    expect((await setup("ann", "not the secret")).status).toBe(410);
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => setup(`admin-${i}`)));
    const statuses = all.map((reply) => reply.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.every((status) => [201, 404, 410, 429].includes(status))).toBe(true);
    expect((await setup("late")).status).toBe(404);
  });
});
