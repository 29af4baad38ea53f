/**
 * The runner link: what the api and a runner say to each other over one WebSocket, dialled by the
 * runner.
 *
 * Text frames are JSON messages, one each. Binary frames carry output of runs: a 4-byte big-endian
 * length, that many bytes of JSON (`DataHeader`), then the payload. Lines are cut so that no frame
 * is over FRAME_BYTES.
 *
 * Who may say what: the api asks (`request`), the runner answers (`response`) and reports
 * (`exited`, `notice`, data). The api decides where reading starts: nothing of a run is sent before
 * it was asked for by `spawn` or `adopt`, and after a new connection everything is asked for again.
 *
 * Two acknowledgements per run: `received` gives credit (at most WINDOW_BYTES may be under way; one
 * line that is larger, alone under way, is sent to its end, since only whole lines are acknowledged),
 * `committed` releases (the spool may give the space back). Generations: a runner counts its
 * connections; of two, the higher lives.
 */
import { z } from "zod";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

export const WIRE_VERSION = 1;
export const FRAME_BYTES = 256 * 1024;
export const WINDOW_BYTES = 1024 * 1024;
/** Either side is silent longer than this: the link is dead. */
export const HEARTBEAT_MS = 5_000;
export const LINK_DEADLINE_MS = 15_000;

const id = z.string().min(1).max(128);
const position = z.strictObject({ line: z.int().nonnegative(), offset: z.int().nonnegative() });
const permissionMode = z.enum([
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "auto",
  "bypassPermissions",
]);
const effort = z.enum(["low", "medium", "high", "xhigh", "max"]);

export const spawnConfigSchema = z.strictObject({
  sessionId: id,
  runId: id,
  userId: id,
  cwd: z.string().max(4096).nullable(),
  resumeId: z.uuid(),
  resume: z.boolean(),
  model: z.string().max(200).nullable(),
  effort: effort.nullable(),
  permissionMode,
  trust: z.boolean(),
  allowBypass: z.boolean(),
  prompt: z.string().optional(),
});

export const processExitSchema = z.strictObject({
  code: z.int().nullable(),
  signal: z.string().nullable(),
  cause: z.enum(["exited", "stopped", "host", "unknown"]),
  stderr: z.string(),
});

/** What the api asks of a runner. Each is idempotent: asking again after a lost answer is safe. */
export const runnerRequestSchema = z.discriminatedUnion("method", [
  z.strictObject({ method: z.literal("spawn"), config: spawnConfigSchema }),
  z.strictObject({ method: z.literal("adopt"), runId: id, position }),
  /** `line` has no newline; its key (see stdinKey) makes it idempotent. */
  z.strictObject({ method: z.literal("write"), runId: id, line: z.string() }),
  z.strictObject({
    method: z.literal("signal"),
    runId: id,
    signal: z.enum(["SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP", "SIGCONT"]),
  }),
  z.strictObject({ method: z.literal("end"), runId: id }),
  z.strictObject({ method: z.literal("release"), runId: id }),
]);
export type RunnerRequest = z.infer<typeof runnerRequestSchema>;

/** The answer to each method; `spawn` and `adopt` give the handle's facts, `adopt` null for no record. */
export const runFactsSchema = z.strictObject({
  processId: z.string(),
  pid: z.int().nullable(),
  alive: z.boolean(),
});
export type RunFacts = z.infer<typeof runFactsSchema>;
export const writeReceiptSchema = z.strictObject({
  journalLine: z.int().positive(),
  duplicate: z.boolean(),
});

export const runnerFactsSchema = z.strictObject({
  /** How runs are contained: none (same uid, environment marker), pidns, cgroup. */
  tier: z.enum(["none", "pidns", "cgroup"]),
  /** Runs have Unix accounts of their own. */
  accounts: z.boolean(),
  hostname: z.string(),
  claudeBin: z.string().nullable(),
  cliVersion: z.string().nullable(),
  /** What keeps runs from starting here, in words for a person; null: nothing. */
  problem: z.string().nullable(),
});
export type RunnerFacts = z.infer<typeof runnerFactsSchema>;

export const fromRunnerSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("hello"),
    wire: z.int(),
    runnerId: id,
    generation: z.int().nonnegative(),
    version: z.string(),
    facts: runnerFactsSchema,
    /** Every run the runner has a record of. */
    runs: z.array(z.strictObject({ runId: id, sessionId: id, alive: z.boolean() })),
  }),
  z.strictObject({
    type: z.literal("response"),
    id: z.int().nonnegative(),
    ok: z.literal(true),
    result: z.unknown(),
  }),
  z.strictObject({
    type: z.literal("failure"),
    id: z.int().nonnegative(),
    code: z.string(),
    message: z.string(),
  }),
  /** Nothing of the run is left, and its output up to `position` was sent. After the last data frame. */
  z.strictObject({ type: z.literal("exited"), runId: id, exit: processExitSchema, position }),
  z.strictObject({
    type: z.literal("notice"),
    runId: id,
    kind: z.enum(["frozen", "thawed"]),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal("heartbeat"),
    /** Per live run: when its last line was seen; ms since the epoch. */
    runs: z.array(z.strictObject({ runId: id, lastLineAt: z.number().nullable() })),
  }),
]);
export type FromRunner = z.infer<typeof fromRunnerSchema>;

export const fromApiSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("welcome"),
    wire: z.int(),
    heartbeatMs: z.int(),
    deadlineMs: z.int(),
  }),
  z.strictObject({
    type: z.literal("request"),
    id: z.int().nonnegative(),
    request: runnerRequestSchema,
  }),
  z.strictObject({ type: z.literal("ack"), runId: id, received: position, committed: position }),
  /** Runs that nobody wants: end them and drop their spool. */
  z.strictObject({ type: z.literal("disown"), runIds: z.array(id) }),
  z.strictObject({ type: z.literal("heartbeat") }),
]);
export type FromApi = z.infer<typeof fromApiSchema>;

/**
 * Payload of a data frame: parts in order, whole lines or pieces of one. A part with `end: true`
 * completes its line (its newline is not in the payload); `cut`: the process died inside it.
 */
export const dataHeaderSchema = z.strictObject({
  runId: id,
  parts: z
    .array(
      z.strictObject({
        line: z.int().positive(),
        /** Byte offset of the stream after this part (and after the newline, if `end`). */
        offset: z.int().nonnegative(),
        size: z.int().nonnegative(),
        at: z.number(),
        end: z.boolean(),
        cut: z.literal(true).optional(),
      }),
    )
    .min(1),
});
export type DataHeader = z.infer<typeof dataHeaderSchema>;

/** Close codes of the link, beside the WebSocket's own. */
export const LINK_CLOSE = {
  badMessage: 4400,
  unauthorised: 4401,
  fenced: 4409,
  wireVersion: 4426,
} as const;

/** A data frame as bytes. */
export function encodeDataFrame(header: DataHeader, payload: readonly Uint8Array[]): Uint8Array {
  const head = encodeUtf8(JSON.stringify(header));
  const size = payload.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const frame = new Uint8Array(4 + head.byteLength + size);
  new DataView(frame.buffer).setUint32(0, head.byteLength);
  frame.set(head, 4);
  let at = 4 + head.byteLength;
  for (const chunk of payload) {
    frame.set(chunk, at);
    at += chunk.byteLength;
  }
  return frame;
}

/** The inverse of encodeDataFrame. Throws on anything else. */
export function parseDataFrame(frame: Uint8Array): { header: DataHeader; payload: Uint8Array } {
  if (frame.byteLength < 4) throw new Error("data frame too short");
  const length = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(0);
  if (length > frame.byteLength - 4) throw new Error("data frame header too long");
  const text = decodeUtf8(frame.subarray(4, 4 + length));
  if (text === null) throw new Error("data frame header is not UTF-8");
  const header = dataHeaderSchema.parse(JSON.parse(text));
  const payload = frame.subarray(4 + length);
  const declared = header.parts.reduce((sum, part) => sum + part.size, 0);
  if (declared !== payload.byteLength)
    throw new Error("data frame payload does not match its header");
  return { header, payload };
}
