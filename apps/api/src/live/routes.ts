import { createRoute, z } from "@hono/zod-openapi";
import { watchBody, type Seq } from "@lodge/protocol";
import type { Context, MiddlewareHandler } from "hono";
import { authorise } from "../auth/authorise.ts";
import { cookieSecret } from "../auth/require-user.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, jsonBody } from "../http/openapi.ts";
import { createAccess } from "../sessions/access.ts";

const eventStream = (description: string) =>
  ({
    200: { description, content: { "text/event-stream": { schema: z.string() } } },
  }) as const;

/** `GET /api/sessions/:id/events` and `/api/stream`. */
export function liveRoutes(deps: Deps) {
  const app = createRouter();
  const { opened } = createAccess(deps);
  // A stream without a body would be held open for nobody.
  const requireGet: MiddlewareHandler = async function refuseHead(c, next) {
    if (c.req.raw.method === "HEAD")
      throw new HttpError("method_not_allowed", "A stream has no HEAD.");
    await next();
  };
  app.use("/stream", requireGet);
  app.use("/sessions/:id/events", requireGet);

  app.openapi(
    createRoute({
      method: "get",
      path: "/sessions/{id}/events",
      summary: "Follow one session: snapshot, events, deltas, heartbeats",
      tags: ["live"],
      request: {
        params: z.object({ id: z.string() }),
        query: z.strictObject({ after: z.string().optional() }),
      },
      responses: eventStream("Server-Sent Events; `id:` is the seq."),
    }),
    async (c) => {
      const after = cursorOf(c.req.header("last-event-id"), c.req.valid("query").after);
      const session = await opened(c, c.req.valid("param").id, "read");
      return deps.streams.openSession(ownerOf(deps, c), session, after);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/stream",
      summary: "One stream for a browser: the list, and whatever is watched",
      tags: ["live"],
      responses: eventStream("Server-Sent Events; the first frame names the stream."),
    }),
    async (c) => deps.streams.openBrowser(ownerOf(deps, c)),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/stream/{streamId}",
      summary: "Say which sessions the stream carries, each from a cursor",
      tags: ["live"],
      request: { params: z.object({ streamId: z.string() }), body: jsonBody(watchBody) },
      responses: answers(
        200,
        z.strictObject({ watching: z.array(z.string()) }),
        "What is watched now; sessions that are not there for this person are left out.",
      ),
    }),
    async (c) => {
      const stream = deps.streams.findBrowser(c.get("actor").userId, c.req.valid("param").streamId);
      if (!stream) throw new HttpError("not_found", "There is no such stream.");
      const { watch = {}, unwatch = [] } = c.req.valid("json");
      for (const id of unwatch) stream.unwatch(id);
      for (const [id, after] of Object.entries(watch)) {
        const row = await deps.sessions.get(id);
        if (!row || !authorise("read", c.get("actor"), { kind: "session", ownerId: row.ownerId }))
          continue;
        stream.watch(await deps.manager.open(row.id), after);
      }
      return c.json({ watching: [...stream.watching] }, 200);
    },
  );

  return app;
}

function ownerOf(deps: Deps, c: Context<AppEnv>) {
  const { userId } = c.get("actor");
  if (!deps.streams.mayOpen(userId))
    throw new HttpError("too_many_requests", "Too many streams are open. Close some tabs.", {
      "retry-after": "5",
    });
  return { userId, loginSecret: cookieSecret(c, deps.logins.cookieName) ?? "" };
}

/**
 * What the browser repeats by itself (`Last-Event-ID`) is newer than what stands in the URL. A bad
 * one of the first kind is ignored, of the second kind somebody's mistake.
 */
function cursorOf(lastEventId: string | undefined, after: string | undefined): Seq {
  const parse = (text: string): Seq | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
  const fromHeader = lastEventId === undefined ? null : parse(lastEventId);
  if (fromHeader !== null) return fromHeader;
  if (after === undefined) return 0;
  const fromQuery = parse(after);
  if (fromQuery === null) throw new HttpError("bad_cursor", "after: not a seq.");
  return fromQuery;
}
