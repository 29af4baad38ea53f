/**
 * The api as one Hono app: what every request passes, the rooms, and the one way out for errors.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { requireUser } from "./auth/require-user.ts";
import { authRoutes } from "./auth/routes.ts";
import type { AppEnv, Deps } from "./deps.ts";
import { limitBody, requireJsonBody } from "./http/json-body.ts";
import { errorBody, onError } from "./http/on-error.ts";
import { requireKnownHost, requireOwnOrigin, securityHeaders } from "./http/security.ts";
import { liveRoutes } from "./live/routes.ts";
import { opsRoutes } from "./ops/routes.ts";
import { webAppRoutes } from "./ops/web-app.ts";
import { runnerRoutes } from "./runners/routes.ts";
import { contentRoutes } from "./sessions/content-routes.ts";
import { inputRoutes } from "./sessions/input-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";

/** Pictures travel inside an input as base64. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export async function createApp(deps: Deps): Promise<Hono<AppEnv>> {
  const rooms = createApi(deps);
  const root = new Hono<AppEnv>();
  root.onError(onError);
  root.notFound((c) =>
    c.json(errorBody("not_found", "There is nothing here.", c.get("requestId") ?? ""), 404),
  );
  root.use(async (c, next) => {
    const requestId = randomUUID();
    c.set("requestId", requestId);
    c.set("log", deps.log.child({ requestId }));
    await next();
    c.res.headers.set("x-request-id", requestId);
  });
  root.use(securityHeaders(deps.env.publicUrl?.protocol === "https:"));
  root.use(requireKnownHost(deps.origins));
  root.route("/", opsRoutes(deps));
  const basePath = (deps.env.publicUrl?.pathname ?? "/").replace(/\/$/, "");
  const web = deps.webRoot === null ? null : await webAppRoutes(deps.webRoot, basePath);
  // Reached below a path: with it, and without it where a proxy has taken it off.
  for (const base of new Set([basePath, ""])) {
    root.route(`${base}/api`, rooms);
    if (web) root.route(base === "" ? "/" : base, web);
  }
  return root;
}

function createApi(deps: Deps): OpenAPIHono<AppEnv> {
  const api = new OpenAPIHono<AppEnv>();
  api.use(requireOwnOrigin(deps.origins));
  api.use(requireUser(deps));
  api.use(limitBody(MAX_BODY_BYTES));
  api.use(requireJsonBody);
  api.route("/auth", authRoutes(deps));
  api.route("/sessions", sessionRoutes(deps));
  api.route("/sessions", inputRoutes(deps));
  api.route("/sessions", contentRoutes(deps));
  api.route("/", liveRoutes(deps));
  api.route("/runners", runnerRoutes(deps));
  api.doc31("/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Lodge", version: "1" },
    servers: [{ url: "/api" }],
  });
  // Whatever else: signed in, it is not there (requireUser has answered everybody else).
  api.all("*", (c) =>
    c.json(errorBody("not_found", "There is nothing here.", c.get("requestId")), 404),
  );
  return api;
}
