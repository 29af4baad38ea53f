/** `/api/sessions`: what the browser and tools do with sessions, apart from following them. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  answerBody,
  configBody,
  createSessionBody,
  inputIdSchema,
  patchSessionBody,
  replaceInputBody,
  sendBody,
  sessionIdSchema,
  stopBody,
  type SessionEvent,
  type SessionListItem,
} from "@lodge/protocol";
import type { Session } from "@lodge/session";
import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { authorOf } from "../auth/actor.ts";
import { authorise, type SessionVerb } from "../auth/authorise.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, described, jsonBody, ok } from "../http/openapi.ts";
import { createSession } from "./create-session.ts";
import { readCursor, writeCursor } from "./list-cursor.ts";
import type { SessionRow } from "./session-store.ts";

const PAGE = 50;
const MAX_PAGE = 500;
const params = z.object({ id: z.string() });
const item = described<SessionListItem>("A row of the session list.");
const events = z.array(described<SessionEvent>("An event of the log."));

export function sessionRoutes(deps: Deps) {
  const app = createRouter();

  /** Another's session is as absent as one that never was. */
  async function allowed(c: Context<AppEnv>, id: string, verb: SessionVerb): Promise<SessionRow> {
    const row = sessionIdSchema.safeParse(id).success ? await deps.sessions.get(id) : null;
    if (!row || !authorise(verb, c.get("actor"), { kind: "session", ownerId: row.ownerId }))
      throw new HttpError("not_found", "There is no such session.");
    return row;
  }
  async function opened(c: Context<AppEnv>, id: string, verb: SessionVerb): Promise<Session> {
    await allowed(c, id, verb);
    return deps.manager.open(id);
  }
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
          q: z.string().max(200).optional(),
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
      const session = await deps.manager.open(id);
      session.stop("run", authorOf(c.get("actor")));
      await deps.sessions.softDelete(id);
      deps.streams.endSession(id);
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
      deps.manager.admit(session);
      const { runId, processId } = await session.start(authorOf(c.get("actor")));
      return c.json({ runId, ...(processId === null ? {} : { processId }) }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/send",
      summary: "Say something; queued until the turn is over, or steered into it",
      tags: ["sessions"],
      request: { params, body: jsonBody(sendBody) },
      responses: answers(
        202,
        z.strictObject({ inputId: z.string(), seq: z.int() }),
        "In the log. The same inputId again: the same answer.",
      ),
    }),
    async (c) => {
      const session = await opened(c, c.req.valid("param").id, "act");
      const { input, inputId, contentBlocks, deliver } = c.req.valid("json");
      deps.manager.admit(session);
      const receipt = await session.send(
        {
          input,
          inputId: inputId ?? randomUUID(),
          ...(contentBlocks ? { contentBlocks } : {}),
          ...(deliver ? { deliver } : {}),
        },
        authorOf(c.get("actor")),
      );
      return c.json(receipt, 202);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/{id}/inputs/{inputId}",
      summary: "Withdraw an input that is still queued",
      tags: ["sessions"],
      request: { params: params.extend({ inputId: z.string() }) },
      responses: answers(200, ok, "Withdrawn."),
    }),
    async (c) => {
      const { id, inputId } = c.req.valid("param");
      const session = await opened(c, id, "act");
      if (!inputIdSchema.safeParse(inputId).success)
        throw new HttpError("not_found", "There is no such input.");
      await session.withdraw(inputId, authorOf(c.get("actor")));
      return c.json({ ok: true as const }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/{id}/inputs/{inputId}/replace",
      summary: "Edit or move an input that is still queued",
      tags: ["sessions"],
      request: {
        params: params.extend({ inputId: z.string() }),
        body: jsonBody(replaceInputBody),
      },
      responses: answers(
        202,
        z.strictObject({ inputId: z.string(), seq: z.int() }),
        "Another input stands in its place. The same new id again: the same answer.",
      ),
    }),
    async (c) => {
      const { id, inputId } = c.req.valid("param");
      const session = await opened(c, id, "act");
      if (!inputIdSchema.safeParse(inputId).success)
        throw new HttpError("not_found", "There is no such input.");
      const { inputId: newId, input, contentBlocks, deliver, before } = c.req.valid("json");
      const receipt = await session.replace(
        inputId,
        {
          inputId: newId,
          ...(input === undefined ? {} : { input }),
          ...(contentBlocks === undefined ? {} : { contentBlocks }),
          ...(deliver === undefined ? {} : { deliver }),
          ...(before === undefined ? {} : { before }),
        },
        authorOf(c.get("actor")),
      );
      return c.json(receipt, 202);
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

  app.openapi(
    createRoute({
      method: "get",
      path: "/{id}/history",
      summary: "Older events, oldest first",
      tags: ["sessions"],
      request: {
        params,
        query: z.strictObject({
          before: z.coerce.number().int().positive().max(2_147_483_647).optional(),
          limit: z.coerce.number().int().positive().optional(),
        }),
      },
      responses: answers(
        200,
        z.strictObject({ events, hasMore: z.boolean() }),
        "All with `seq < before`; at most 500 at once.",
      ),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { before = 2_147_483_647, limit = 50 } = c.req.valid("query");
      await allowed(c, id, "read");
      const page = await deps.storage.readFromStorage(id, {
        beforeSeq: before,
        limit: Math.min(limit, MAX_PAGE),
      });
      return c.json({ events: [...page], hasMore: (page[0]?.seq ?? 1) > 1 }, 200);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/{id}/blobs/{hash}",
      summary: "A text or picture that was too large for the log",
      tags: ["sessions"],
      request: { params: params.extend({ hash: z.string().max(200) }) },
      responses: { 200: { description: "Its bytes." } },
    }),
    async (c) => {
      const { id, hash } = c.req.valid("param");
      await allowed(c, id, "read");
      const blob = await deps.storage.readBlob(id, hash);
      if (!blob) throw new HttpError("not_found", "There is no such blob.");
      // Its name is its content: it never changes. It came from a model: it is never a page.
      c.header("content-type", blobType(blob.mediaType));
      c.header("content-disposition", "attachment");
      c.header("cache-control", "private, max-age=31536000, immutable");
      return c.body(Uint8Array.from(blob.bytes).buffer);
    },
  );

  return app;
}

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const blobType = (mediaType: string): string =>
  IMAGES.has(mediaType) ? mediaType : "text/plain; charset=utf-8";
