import { createRoute, z } from "@hono/zod-openapi";
import { getConnInfo } from "@hono/node-server/conninfo";
import { changePasswordBody, loginBody, loginSchema, setupBody, type Me } from "@lodge/protocol";
import type { Context } from "hono";
import type { AppEnv, Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, jsonBody, ok } from "../http/openapi.ts";
import { cookieSecret } from "./require-user.ts";

const me = z.strictObject({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  role: z.enum(["member", "admin"]),
  isolation: z.enum(["accounts", "none"]),
});

export function authRoutes(deps: Deps) {
  const app = createRouter();
  const isolation = (): Me["isolation"] =>
    deps.runners.list().some((runner) => runner.facts.accounts) ? "accounts" : "none";

  const slowDown = (login: string, address: string): void => {
    const wait = deps.throttle.waitSeconds(login, address, deps.now());
    if (wait > 0)
      throw new HttpError("too_many_requests", `Too many tries. Wait ${wait} s.`, {
        "retry-after": String(wait),
      });
  };

  app.openapi(
    createRoute({
      method: "post",
      path: "/login",
      summary: "Sign in",
      tags: ["auth"],
      request: { body: jsonBody(loginBody) },
      responses: answers(200, me, "Signed in; the cookie is set."),
    }),
    async (c) => {
      const body = c.req.valid("json");
      const address = peerAddress(c);
      // An ill-formed login is answered like an unknown one: it names nobody.
      const login = loginSchema.safeParse(body.login).data ?? "";
      slowDown(login, address);
      const user = login === "" ? null : await deps.users.byLogin(login);
      const matches = await deps.passwords.verify(user?.passwordHash ?? null, body.password);
      if (!user || !matches || user.disabled) {
        deps.throttle.failed(login, address, deps.now());
        throw new HttpError("bad_credentials", "Login or password is wrong.");
      }
      deps.throttle.succeeded(login);
      const { cookie } = await deps.logins.create(user.id, userAgent(c));
      c.header("set-cookie", cookie);
      return c.json(
        {
          id: user.id,
          login: user.login,
          name: user.name,
          role: user.role,
          isolation: isolation(),
        },
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/setup",
      summary: "Make the first admin with the one-time secret",
      tags: ["auth"],
      request: { body: jsonBody(setupBody) },
      responses: answers(201, me, "Made and signed in."),
    }),
    async (c) => {
      const body = c.req.valid("json");
      if (!(await deps.users.isEmpty()))
        throw new HttpError("not_found", "There is nothing to set up.");
      const user = await deps.users.createFirstBySecret(
        body.secret,
        {
          login: body.login,
          name: body.name ?? body.login,
          role: "admin",
          passwordHash: await deps.passwords.hash(body.password),
        },
        new Date(deps.now()),
      );
      if (!user) throw new HttpError("gone", "This link was used or has expired.");
      const { cookie } = await deps.logins.create(user.id, userAgent(c));
      c.header("set-cookie", cookie);
      return c.json(
        {
          id: user.id,
          login: user.login,
          name: user.name,
          role: user.role,
          isolation: isolation(),
        },
        201,
      );
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/logout",
      summary: "Sign out",
      tags: ["auth"],
      responses: answers(200, ok, "Signed out; the cookie is cleared."),
    }),
    async (c) => {
      const secret = cookieSecret(c, deps.logins.cookieName);
      if (secret !== null) {
        await deps.logins.end(secret);
        deps.streams.endLogin(secret);
      }
      c.header("set-cookie", deps.logins.blankCookie);
      return c.json({ ok: true as const }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/me",
      summary: "Who I am",
      tags: ["auth"],
      responses: answers(200, me, "The person signed in."),
    }),
    (c) => {
      const { userId, login, name, role } = c.get("actor");
      return c.json({ id: userId, login, name, role, isolation: isolation() }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/password",
      summary: "Change my password; every other login of mine ends",
      tags: ["auth"],
      request: { body: jsonBody(changePasswordBody) },
      responses: answers(200, ok, "Changed."),
    }),
    async (c) => {
      const body = c.req.valid("json");
      const { userId, login } = c.get("actor");
      const address = peerAddress(c);
      slowDown(login, address);
      const user = await deps.users.byId(userId);
      if (!(await deps.passwords.verify(user?.passwordHash ?? null, body.current))) {
        deps.throttle.failed(login, address, deps.now());
        throw new HttpError("bad_credentials", "The present password is wrong.");
      }
      await deps.users.setPassword(userId, await deps.passwords.hash(body.password));
      await deps.logins.endAllOf(userId);
      deps.streams.endUser(userId);
      const { cookie } = await deps.logins.create(userId, userAgent(c));
      c.header("set-cookie", cookie);
      return c.json({ ok: true as const }, 200);
    },
  );

  return app;
}

const userAgent = (c: Context<AppEnv>): string | null =>
  c.req.header("user-agent")?.slice(0, 300) ?? null;

/** The peer of the connection: what a client says about itself in headers is not believed. */
function peerAddress(c: Context<AppEnv>): string {
  try {
    return getConnInfo(c).remote.address ?? "unknown";
  } catch {
    // Tests call the app without a socket.
    return "unknown";
  }
}
