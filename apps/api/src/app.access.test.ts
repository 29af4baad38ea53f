/**
 * Who gets in where, for every route there is: the table is made from the app's own routes, so that
 * a new one fails until it is placed.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PUBLIC_API } from "./auth/require-user.ts";
import { TestApp } from "./testing/test-app.ts";
import { describeDatabase } from "./testing/test-database.ts";

/** Routes with an object that belongs to somebody, and a body they would take from its owner. */
const BODIES: Readonly<Record<string, unknown>> = {
  "POST /api/sessions/:id/send": { input: "x" },
  "POST /api/sessions/:id/stop": {},
  "POST /api/sessions/:id/inputs/:inputId/replace": { inputId: randomUUID() },
  "POST /api/sessions/:id/start": {},
  "POST /api/sessions/:id/config": { title: "mine now" },
  "POST /api/sessions/:id/permissions/:requestId": { behavior: "allow" },
  "PATCH /api/sessions/:id": { title: "mine now" },
};
/** What an admin may do with another's session: see that it is there, stop and delete it. */
const ADMIN_MAY = new Set([
  "GET /api/sessions/:id",
  "POST /api/sessions/:id/stop",
  "DELETE /api/sessions/:id",
]);

describeDatabase("access", () => {
  let app: TestApp;
  let routes: string[];
  let cookies: Record<"ann" | "bob" | "admin", string>;
  let annsSession: string;
  beforeAll(async () => {
    app = await TestApp.start();
    routes = [
      ...new Set(
        app.app.routes
          .filter((route) => route.method !== "ALL" && route.path.startsWith("/api/"))
          .map((route) => `${route.method} ${route.path.replace(/\/$/, "")}`),
      ),
    ];
    cookies = {
      ann: await app.signIn("ann"),
      bob: await app.signIn("bob"),
      admin: await app.signIn("admin"),
    };
    annsSession = (
      await app.request("POST", "/api/sessions", { title: "Ann's" }, { cookie: cookies.ann })
    ).body.id;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const concrete = (route: string): [string, string] => {
    const [method = "", path = ""] = route.split(" ");
    return [
      method,
      path
        .replace(":id", annsSession)
        .replace(":requestId", "r1")
        .replace(":inputId", randomUUID())
        .replace(":hash", "abc")
        .replace(":streamId", randomUUID()),
    ];
  };
  const ofSessions = (): string[] => routes.filter((route) => route.includes("/sessions/:id"));

  it("[H1] finds the routes it is about", () => {
    expect(routes.length).toBeGreaterThan(18);
    expect(ofSessions().length).toBeGreaterThan(9);
  });

  it("[H1] nobody who is not signed in gets anything but the public few, by any method", async () => {
    for (const route of routes) {
      if (PUBLIC_API.has(route)) continue;
      const [method, path] = concrete(route);
      const { status, body } = await app.request(method, path, method === "GET" ? undefined : {});
      expect([route, status], JSON.stringify(body)).toEqual([route, 401]);
    }
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect((await app.request(method, "/api/anything/else")).status).toBe(401);
    expect(
      (
        await app.request("GET", `/api/sessions/${annsSession}`, undefined, {
          cookie: "lodge=nonsense",
        })
      ).status,
    ).toBe(401);
  });

  it("[H2] another's session is as absent as one that never was, on every route", async () => {
    const { seq } = (await app.deps.manager.open(annsSession)).state;
    for (const route of ofSessions()) {
      const [method, path] = concrete(route);
      const theirs = await app.request(method, path, BODIES[route], {
        cookie: cookies.bob,
        "last-event-id": "1",
      });
      const nobodys = await app.request(
        method,
        path.replace(annsSession, randomUUID()),
        BODIES[route],
        { cookie: cookies.bob },
      );
      expect([route, theirs.status], JSON.stringify(theirs.body)).toEqual([route, 404]);
      expect({ ...theirs.body.error, requestId: "" }).toEqual({
        ...nobodys.body.error,
        requestId: "",
      });
    }
    expect((await app.deps.manager.open(annsSession)).state.seq).toBe(seq);
    expect(
      (await app.request("GET", "/api/sessions", undefined, { cookie: cookies.bob })).body.sessions,
    ).toEqual([]);
  });

  it("[H2] an id that is another's cannot be taken", async () => {
    const { status } = await app.request(
      "POST",
      "/api/sessions",
      { id: annsSession },
      { cookie: cookies.bob },
    );
    expect(status).toBe(409);
  });

  it("[H3] an admin sees others' sessions as metadata, never their content", async () => {
    for (const route of ofSessions()) {
      const [method, path] = concrete(route);
      if (ADMIN_MAY.has(route)) continue;
      const { status } = await app.request(method, path, BODIES[route], { cookie: cookies.admin });
      expect([route, status]).toEqual([route, 404]);
    }
    expect(
      (
        await app.request("GET", `/api/sessions/${annsSession}`, undefined, {
          cookie: cookies.admin,
        })
      ).status,
    ).toBe(200);
  });

  it("[H4] signing out ends the cookie at once", async () => {
    const cookie = await app.signIn("bob");
    expect((await app.request("POST", "/api/auth/logout", {}, { cookie })).status).toBe(200);
    expect((await app.request("GET", "/api/auth/me", undefined, { cookie })).status).toBe(401);
  });

  it("[H4] a stream ends with the login that opened it", async () => {
    const cookie = await app.signIn("ann");
    const response = await app.app.request("http://localhost:4400/api/stream", {
      headers: { host: "localhost:4400", cookie },
    });
    const reader = response.body?.getReader();
    const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString("utf8");
    expect(await read()).toContain("event: hello");
    const reading = read();
    await app.request("POST", "/api/auth/logout", {}, { cookie });
    expect(await reading).toContain("signed_out");
    expect((await reader?.read())?.done).toBe(true);
  });

  it("[H4] nothing that the database holds works as a cookie", async () => {
    const { deps } = app;
    const cookie = await app.signIn("bob");
    const secret = cookie.split("=")[1] ?? "";
    expect(await deps.logins.validate(secret)).not.toBeNull();
    const { createHash } = await import("node:crypto");
    const stored = createHash("sha256").update(`lodge-login-v1:${secret}`).digest("hex");
    expect(await deps.logins.validate(stored)).toBeNull();
  });
});
