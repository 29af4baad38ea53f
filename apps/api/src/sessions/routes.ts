/** `/api/sessions`: making, listing, settings, starting, stopping, answering. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  answerBody,
  configBody,
  createSessionBody,
  patchSessionBody,
  stopBody,
  type SessionListItem,
} from "@lodge/protocol";
import { authorOf } from "../auth/actor.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, described, jsonBody, ok } from "../http/openapi.ts";
import { createAccess } from "./access.ts";
import { createSession } from "./create-session.ts";
import { readCursor, writeCursor } from "./list-cursor.ts";
import type { SessionRow } from "./session-store.ts";

const PAGE = 50;
const params = z.object({ id: z.string() });
const item = described<SessionListItem>("A row of the session list.");

export function sessionRoutes(deps: Deps) {
  const app = createRouter();

  const { allowed, opened } = createAccess(deps);
  const toItem = ({ ownerId: _, ...row }: SessionRow): SessionListItem => row;
  async function published(id: string): Promise<SessionListItem> {
    const row = await deps.sessions.get(id);
    if (!row) throw new HttpError("not_found", "There is no such session.");
    deps.listFeed.publish(row.ownerId, toItem(row));
    return toItem(row);
  }

  app.openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make a session; with a prompt, begin at once",
      tags: ["sessions"],
      request: { body: jsonBody(createSessionBody) },
      responses: answers(201, item, "Made, or made before under the same id."),
    }),
    async (c) => {
      const id = await createSession(deps, c.req.valid("json"), c.get("actor"));
      return c.json(await published(id), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "My sessions, latest first",
      tags: ["sessions"],
      request: {
        query: z.strictObject({
          q: z
            .string()
            .max(200)
            .refine((q) => !q.includes("\u0000"), "no NUL")
            .optional(),
          status: z.enum(["idle", "starting", "streaming", "stopping"]).optional(),
          archived: z.enum(["true", "false"]).optional(),
          cursor: z.string().max(200).optional(),
        }),
      },
      responses: answers(
        200,
        z.strictObject({ sessions: z.array(item), cursor: z.string().nullable() }),
        "A page; `cursor` leads to the next.",
      ),
    }),
    async (c) => {
      const { q, status, archived, cursor } = c.req.valid("query");
      const rows = await deps.sessions.list({
        ownerId: c.get("actor").userId,
        q,
        status,
        archived: archived === undefined ? undefined : archived === "true",
        cursor: cursor === undefined ? undefined : readCursor(cursor),
        limit: PAGE + 1,
      });
      const page = rows.slice(0, PAGE);
      const last = page.at(-1);
      return c.json(
        {
          sessions: page.map(toItem),
          cursor: rows.length > PAGE && last ? writeCursor(last) : null,
        },
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "One session",
      tags: ["sessions"],
      request: { params },
      responses: answers(200, item, "The session."),
    }),
    async (c) => c.json(toItem(await allowed(c, c.req.valid("param").id, "see")), 200),
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: "/{id}",
      summary: "Rename or archive",
      tags: ["sessions"],
      request: { params, body: jsonBody(patchSessionBody) },
      responses: answers(200, item, "As it is now."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { title, archived } = c.req.valid("json");
      const session = await opened(c, id, "act");
      if (title !== undefined) await session.configure({ title }, authorOf(c.get("actor")));
      if (archived !== undefined) await deps.sessions.setArchived(id, archived);
      return c.json(await published(id), 200);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete; a run that is alive is ended",
      tags: ["sessions"],
      request: { params },
      responses: answers(200, ok, "Deleted."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await allowed(c, id, "delete");
      const session = await deps.manager.open(row.id);
      session.stop("run", authorOf(c.get("actor")));
      await deps.sessions.softDelete(id);
      deps.streams.endSession(row.id);
      deps.listFeed.publish(row.ownerId, { ...toItem(row), deleted: true });
      return c.json({ ok: true as const }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/start",
      summary: "Make sure a process is there",
      tags: ["sessions"],
      request: { params },
      responses: answers(
        200,
        z.strictObject({ runId: z.string(), processId: z.string().optional() }),
        "The run; `processId` once the process is known.",
      ),
    }),
    async (c) => {
      const session = await opened(c, c.req.valid("param").id, "act");
      const { runId, processId } = await deps.manager.admitted(session, () =>
        session.start(authorOf(c.get("actor"))),
      );
      return c.json({ runId, ...(processId === null ? {} : { processId }) }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/stop",
      summary: "Stop the turn, or end the run; a second stop of an unanswered turn ends the run",
      tags: ["sessions"],
      request: { params, body: { content: { "application/json": { schema: stopBody } } } },
      responses: answers(
        202,
        z.strictObject({ scope: z.enum(["turn", "run"]).nullable() }),
        "What is being stopped; null: there was nothing to stop.",
      ),
    }),
    async (c) => {
      const session = await opened(c, c.req.valid("param").id, "stop");
      const { scope = "turn" } = c.req.valid("json") ?? {};
      return c.json(session.stop(scope, authorOf(c.get("actor"))), 202);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/permissions/{requestId}",
      summary: "Answer a prompt; the first answer counts",
      tags: ["sessions"],
      request: {
        params: params.extend({ requestId: z.string().max(200) }),
        body: jsonBody(answerBody),
      },
      responses: answers(200, z.strictObject({ seq: z.int() }), "The answer is in the log."),
    }),
    async (c) => {
      const { id, requestId } = c.req.valid("param");
      const session = await opened(c, id, "act");
      if (requestId.includes("\u0000"))
        throw new HttpError("not_found", "There is no such prompt.");
      const body = c.req.valid("json");
      return c.json(await session.answer(requestId, body, authorOf(c.get("actor"))), 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/config",
      summary: "Change mode, model, effort, title or trust",
      tags: ["sessions"],
      request: { params, body: jsonBody(configBody) },
      responses: answers(
        200,
        z.strictObject({ seq: z.int() }),
        "In the log; a live process is told.",
      ),
    }),
    async (c) => {
      const session = await opened(c, c.req.valid("param").id, "act");
      const { permissionMode, model, effort, title, trust } = c.req.valid("json");
      if (permissionMode === "bypassPermissions" && !session.record.allowBypass)
        throw new HttpError("forbidden", "Only an admin may switch permission checks off.");
      const receipt = await session.configure(
        {
          ...(permissionMode === undefined ? {} : { permissionMode }),
          ...(model === undefined ? {} : { model }),
          ...(effort === undefined ? {} : { effort }),
          ...(title === undefined ? {} : { title }),
          ...(trust === undefined ? {} : { trust }),
        },
        authorOf(c.get("actor")),
      );
      return c.json(receipt, 200);
    },
  );

  return app;
}
