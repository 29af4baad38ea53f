/** `/api/runners`: which are connected and what keeps them from working. */
import { createRoute, z } from "@hono/zod-openapi";
import { runnerFactsSchema } from "@lodge/protocol";
import type { Deps } from "../deps.ts";
import { answers, createRouter } from "../http/openapi.ts";

export function runnerRoutes(deps: Deps) {
  const app = createRouter();
  app.openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "The runners that are connected",
      tags: ["runners"],
      responses: answers(
        200,
        z.strictObject({
          runners: z.array(
            z.strictObject({
              runnerId: z.string(),
              connectedSince: z.number(),
              facts: runnerFactsSchema,
              runs: z.int(),
            }),
          ),
        }),
        "Where a session can live, and what is wrong there.",
      ),
    }),
    (c) => c.json({ runners: [...deps.runners.list()] }, 200),
  );
  return app;
}
