/** Plays one reply: HTTP errors first, then a JSON message or its stream of server-sent events. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, ModelRequest } from "./request.ts";
import type { Block, Operation } from "./script.ts";

const ERRORS: Record<number, readonly [type: string, message: string]> = {
  400: ["invalid_request_error", "Bad request"],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your rate limit."],
  500: ["api_error", "Internal server error"],
  503: ["api_error", "Service unavailable"],
  529: ["overloaded_error", "Overloaded"],
};

export interface Play {
  readonly request: ModelRequest;
  readonly operations: readonly Operation[];
  /** How often this very step has been asked for, this time included: what `times=N` counts. */
  readonly attempt: number;
  readonly nextId: (prefix: string) => string;
}

export async function playReply(play: Play, response: ServerResponse): Promise<void> {
  const operations = play.operations.map((o): Operation =>
    o.op === "cut" && play.attempt > o.times
      ? { op: "block", block: { type: "text", text: o.text } }
      : o,
  );
  for (const o of operations) {
    if (o.op === "wait") await sleep(o.ms);
    if (o.op === "error" && play.attempt <= o.times) return sendError(o, play, response);
  }
  const message = messageOf(play, operations);
  if (play.request.stream) return stream(play, operations, message, response);
  if (operations.some((o) => o.op === "hang")) return undefined;
  if (
    operations.some((o) => o.op === "cut" || (o.op === "disconnect" && play.attempt <= o.times))
  ) {
    response.socket?.destroy();
    return undefined;
  }
  const { head, content, delta, usage } = message;
  return sendJson(response, 200, { ...head, content, ...delta, usage }, requestId(play));
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: JsonObject,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

export function errorBody(type: string, message: string): JsonObject {
  return { type: "error", error: { type, message } };
}

function requestId({ nextId }: Play): Record<string, string> {
  return { "request-id": nextId("req_fake") };
}

function sendError(o: Operation & { op: "error" }, play: Play, response: ServerResponse): void {
  const [type, message] = ERRORS[o.status] ?? ["api_error", `HTTP ${o.status}`];
  const headers = {
    ...requestId(play),
    ...(o.retryAfter === undefined ? {} : { "retry-after": o.retryAfter }),
  };
  sendJson(response, o.status, errorBody(o.type ?? type, o.message || message), headers);
}

interface Message {
  readonly head: JsonObject;
  readonly content: Block[];
  readonly delta: JsonObject;
  readonly usage: JsonObject;
}

function messageOf(play: Play, operations: readonly Operation[]): Message {
  const content = operations.flatMap((o) => (o.op === "block" ? [o.block] : []));
  const merged = (op: "usage" | "raw"): JsonObject =>
    Object.assign(
      {},
      ...operations.flatMap((o) => (o.op === op && "value" in o ? [o.value] : [])),
    ) as JsonObject;
  const tokens = (value: unknown): number =>
    Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
  const stop = operations.find((o) => o.op === "stop")?.reason;
  const stopReason =
    stop ?? (content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn");
  return {
    head: {
      id: play.nextId("msg_fake"),
      type: "message",
      role: "assistant",
      model: play.request.model,
    },
    content,
    delta: { stop_reason: stopReason, stop_sequence: null, ...merged("raw") },
    usage: {
      input_tokens: tokens(play.request.body),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokens(content),
      ...merged("usage"),
    },
  };
}

async function stream(
  play: Play,
  operations: readonly Operation[],
  message: Message,
  response: ServerResponse,
): Promise<void> {
  let slowMs = 0;
  let index = 0;
  const isOpen = (): boolean => !response.destroyed && !response.writableEnded;
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  const send = async (type: string, data: JsonObject): Promise<void> => {
    if (!isOpen()) return;
    if (response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)) return;
    await Promise.race([new Promise<void>((resolve) => response.once("drain", resolve)), closed]);
  };
  const sendBlock = async (opening: JsonObject, deltas: readonly JsonObject[]): Promise<void> => {
    const at = index++;
    await send("content_block_start", { index: at, content_block: opening });
    for (const delta of deltas) {
      if (!isOpen()) return;
      await send("content_block_delta", { index: at, delta });
      if (slowMs > 0) await Promise.race([sleep(slowMs), closed]);
    }
    await send("content_block_stop", { index: at });
  };

  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    ...requestId(play),
  });
  const usage = { ...message.usage, output_tokens: 1 };
  const empty = { ...message.head, content: [], stop_reason: null, stop_sequence: null, usage };
  await send("message_start", { message: empty });

  for (const o of operations) {
    if (!isOpen()) return;
    switch (o.op) {
      case "slow":
        slowMs = o.ms;
        break;
      case "pause":
        await Promise.race([sleep(o.ms), closed]);
        break;
      case "ping":
        await send("ping", {});
        break;
      case "hang":
        return;
      case "disconnect":
        if (play.attempt > o.times) break;
        response.socket?.destroy();
        return;
      case "cut":
        await cutShort(o.text, sendHalf, response);
        return;
      case "sse_error":
        await send("error", { error: { type: o.type, message: o.message } });
        response.end();
        return;
      case "block":
        await sendBlock(openingOf(o.block), deltasOf(o.block, o.chunk));
        break;
      // These have had their effect before the stream began.
      case "wait":
      case "error":
      case "usage":
      case "raw":
      case "stop":
        break;
    }
  }
  await send("message_delta", { delta: message.delta, usage: message.usage });
  await send("message_stop", {});
  if (isOpen()) response.end();

  async function sendHalf(words: readonly string[]): Promise<void> {
    await send("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const text of words)
      await send("content_block_delta", { index, delta: { type: "text_delta", text } });
  }
}

async function cutShort(
  text: string,
  sendHalf: (words: readonly string[]) => Promise<void>,
  response: ServerResponse,
): Promise<void> {
  const words = pieces(text);
  await sendHalf(words.slice(0, Math.ceil(words.length / 2)));
  // Long enough for the half to have left before the reset overtakes it.
  await sleep(200);
  response.socket?.destroy();
}

function openingOf(block: Block): JsonObject {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltasOf(block: Block, chunk?: number): JsonObject[] {
  const { text, thinking, signature } = block;
  if (block.type === "text" && typeof text === "string") {
    return pieces(text, chunk).map((piece) => ({ type: "text_delta", text: piece }));
  }
  if (block.type === "thinking" && typeof thinking === "string") {
    const parts: JsonObject[] = pieces(thinking).map((piece) => ({
      type: "thinking_delta",
      thinking: piece,
    }));
    return [...parts, { type: "signature_delta", signature: signature ?? "" }];
  }
  if (block.type === "tool_use") {
    const json = JSON.stringify(block["input"]);
    const size = Math.max(32, Math.ceil(json.length / 8));
    return pieces(json, size).map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  }
  return [];
}

/** Words with the space after them, or parts of a given size. */
function pieces(text: string, size?: number): string[] {
  if (size === undefined) return text.match(/\S+\s*|\s+/g) ?? [];
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
