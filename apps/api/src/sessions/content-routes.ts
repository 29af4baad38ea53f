/** `/api/sessions/:id/history` and `/blobs`: what a session holds, for whoever may read it. */
import { createRoute, z } from "@hono/zod-openapi";
import type { SessionEvent } from "@lodge/protocol";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { answers, createRouter, described } from "../http/openapi.ts";
import { createAccess } from "./access.ts";

const MAX_PAGE = 500;
const params = z.object({ id: z.string() });
const events = z.array(described<SessionEvent>("An event of the log."));

export function contentRoutes(deps: Deps) {
  const app = createRouter();
  const { allowed } = createAccess(deps);

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
      const blob = /^[0-9a-f]+$/.test(hash) ? await deps.storage.readBlob(id, hash) : null;
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
