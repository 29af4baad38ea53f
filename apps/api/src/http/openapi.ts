/**
 * What every described route has in common: strict input, JSON out, the same error body.
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { errorBodySchema } from "@lodge/protocol";
import type { AppEnv } from "../deps.ts";
import { HttpError } from "./http-error.ts";

const failure = {
  description: "Refused; `code` says why.",
  content: { "application/json": { schema: errorBodySchema } },
} as const;

/** The responses of a route whose success has this status and shape. */
export function answers<S extends number, T extends z.ZodType>(
  status: S,
  schema: T,
  description: string,
) {
  return {
    [status]: { description, content: { "application/json": { schema } } },
    default: failure,
  } as { [K in S]: { description: string; content: { "application/json": { schema: T } } } };
}

export const jsonBody = <T extends z.ZodType>(schema: T) =>
  ({ required: true, content: { "application/json": { schema } } }) as const;

export const ok = z.strictObject({ ok: z.literal(true) });
/** Shapes that the protocol package defines as types are named in the document, not spelled out. */
export const described = <T>(description: string): z.ZodType<T> => z.any().describe(description);

/** A room's router: whatever does not fit its schema is a 400 that names the field. */
export function createRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const issue = result.error.issues[0];
      const where = issue?.path.join(".") ?? "";
      const extra =
        issue?.code === "unrecognized_keys"
          ? `unknown field ${issue.keys.join(", ")}`
          : issue?.message;
      throw new HttpError("bad_request", where === "" ? `${extra}` : `${where}: ${extra}`);
    },
  });
}
