import { z } from "zod";
import {
  contentBlocksSchema,
  directorySchema,
  effortSchema,
  inputIdSchema,
  modelSchema,
  permissionModeSchema,
  sessionIdSchema,
  titleSchema,
} from "./common.ts";

export const createSessionBody = z.strictObject({
  /** Chosen by the client: makes the request repeatable. */
  id: sessionIdSchema.optional(),
  title: titleSchema.optional(),
  cwd: directorySchema.optional(),
  runnerId: z.string().min(1).max(128).optional(),
  model: modelSchema.optional(),
  effort: effortSchema.optional(),
  permissionMode: permissionModeSchema.optional(),
  prompt: z.string().min(1).optional(),
  contentBlocks: contentBlocksSchema.optional(),
});
export type CreateSessionBody = z.infer<typeof createSessionBody>;

export const sendBody = z
  .strictObject({
    input: z.string(),
    inputId: inputIdSchema.optional(),
    contentBlocks: contentBlocksSchema.optional(),
    deliver: z.enum(["queue", "steer"]).optional(),
  })
  .refine((body) => body.input.length > 0 || (body.contentBlocks?.length ?? 0) > 0, {
    message: "an input needs text or content blocks",
  });
export type SendBody = z.infer<typeof sendBody>;

/** Another text, another place, or both, for an input that is still queued. */
export const replaceInputBody = z.strictObject({
  /** Of the input that stands in the other's place. */
  inputId: inputIdSchema,
  /** Absent: as it was. */
  input: z.string().optional(),
  contentBlocks: contentBlocksSchema.optional(),
  deliver: z.enum(["queue", "steer"]).optional(),
  /** Before this queued input; null: last. Absent: where it stood. */
  before: inputIdSchema.nullable().optional(),
});
export type ReplaceInputBody = z.infer<typeof replaceInputBody>;

export const stopBody = z.strictObject({ scope: z.enum(["turn", "run"]).optional() });
export type StopBody = z.infer<typeof stopBody>;

export const answerBody = z.strictObject({
  behavior: z.enum(["allow", "deny"]),
  message: z.string().max(20_000).optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  updatedPermissions: z.array(z.looseObject({ type: z.string() })).optional(),
  interrupt: z.boolean().optional(),
});
export type AnswerBody = z.infer<typeof answerBody>;

export const configBody = z
  .strictObject({
    permissionMode: permissionModeSchema.optional(),
    model: modelSchema.nullable().optional(),
    effort: effortSchema.nullable().optional(),
    title: titleSchema.optional(),
    trust: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { message: "nothing to change" });
export type ConfigBody = z.infer<typeof configBody>;

export const patchSessionBody = z
  .strictObject({ title: titleSchema.optional(), archived: z.boolean().optional() })
  .refine((body) => Object.keys(body).length > 0, { message: "nothing to change" });
export type PatchSessionBody = z.infer<typeof patchSessionBody>;

export const watchBody = z.strictObject({
  /** sessionId → the last seq the client holds; 0: a cold load. */
  watch: z.record(sessionIdSchema, z.int().nonnegative()).optional(),
  unwatch: z.array(sessionIdSchema).optional(),
});
export type WatchBody = z.infer<typeof watchBody>;
