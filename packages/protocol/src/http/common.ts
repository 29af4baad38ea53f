import { z } from "zod";

/** Every code an error body can carry, with the status it goes with. */
export const ERROR_STATUS = {
  bad_request: 400,
  invalid_json: 400,
  bad_cursor: 400,
  ambiguous_auth: 400,
  unauthenticated: 401,
  bad_credentials: 401,
  forbidden: 403,
  bad_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_resolved: 409,
  run_alive: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  too_many_requests: 429,
  internal: 500,
  store_unavailable: 503,
  outcome_unknown: 503,
  runner_unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const errorBodySchema = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), requestId: z.string() }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** One spelling each: an id in capitals is the same id. */
export const sessionIdSchema = z.uuid().toLowerCase();
export const inputIdSchema = z.uuid().toLowerCase();
export const permissionModeSchema = z.enum([
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "auto",
  "bypassPermissions",
]);
export const effortSchema = z.enum(["low", "medium", "high", "xhigh", "max"]);
/** A model alias or id as the CLI takes it; never an option, never a path. */
export const modelSchema = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,150}(\[1m\])?$/, "not a model name");
export const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  .regex(
    /^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u,
    "no control characters, no halves of characters",
  );
/** An absolute directory on the runner. */
export const directorySchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^\/[^\u0000]*$/, "an absolute path");

export const imageSourceSchema = z.strictObject({
  type: z.literal("base64"),
  media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z.base64(),
});
/** Blocks a person may put before the text of an input. */
export const contentBlockSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), source: imageSourceSchema }),
  z.strictObject({
    type: z.literal("document"),
    source: z.strictObject({
      type: z.literal("base64"),
      media_type: z.literal("application/pdf"),
      data: z.base64(),
    }),
  }),
]);
export const contentBlocksSchema = z.array(contentBlockSchema).max(20);
