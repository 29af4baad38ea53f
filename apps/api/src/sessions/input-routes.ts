/** `/api/sessions/:id/send` and `/inputs`: what people say, and what becomes of it before it is handed over. */
import { createRoute, z } from "@hono/zod-openapi";
import { inputIdSchema, replaceInputBody, sendBody } from "@lodge/protocol";
import { randomUUID } from "node:crypto";
import { authorOf } from "../auth/actor.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, jsonBody, ok } from "../http/openapi.ts";
import { createAccess } from "./access.ts";

const params = z.object({ id: z.string() });

export function inputRoutes(deps: Deps) {
  const app = createRouter();
  const { opened } = createAccess(deps);

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
      const receipt = await deps.manager.admitted(session, () =>
        session.send(
          {
            input,
            inputId: inputId ?? randomUUID(),
            ...(contentBlocks ? { contentBlocks } : {}),
            ...(deliver ? { deliver } : {}),
          },
          authorOf(c.get("actor")),
        ),
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
      await session.withdraw(parseInputId(inputId), authorOf(c.get("actor")));
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
      const { inputId: newId, input, contentBlocks, deliver, before } = c.req.valid("json");
      const receipt = await session.replace(
        parseInputId(inputId),
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

  return app;
}

function parseInputId(text: string): string {
  const id = inputIdSchema.safeParse(text).data;
  if (id === undefined) throw new HttpError("not_found", "There is no such input.");
  return id;
}
