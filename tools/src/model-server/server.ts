/**
 * A scripted stand-in for the Anthropic Messages API, on loopback only, so that the real CLI can be driven
 * without credentials or a network. Prompts carry their own scripts (see script.ts); rules answer the rest.
 *
 *   POST /v1/messages, /v1/messages/count_tokens   GET /v1/models   HEAD|GET /
 *   GET|PUT|DELETE /__rules      read, replace or drop the rules
 *   GET|DELETE /__requests       read or drop the summaries of the last 500 requests
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorBody, playReply, sendJson } from "./reply.ts";
import { type Json, type JsonObject, objectOf, readRequest } from "./request.ts";
import { createRuleBook, parseRules, type Rule } from "./rules.ts";
import { compile } from "./script.ts";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const KEPT_REQUESTS = 500;

export interface ModelServerOptions {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly rules?: readonly Rule[];
  /** Asked last, when neither a rule nor the prompt's own script answers; then the prompt is echoed. */
  readonly fallback?: readonly Rule[];
}

/** What a request looked like, for a test to assert on. Bodies are not kept. */
export type RequestSummary = JsonObject & { method: string; path: string };

export interface ModelServer {
  readonly url: string;
  readonly port: number;
  requests(): readonly RequestSummary[];
  setRules(rules: readonly Rule[]): void;
  close(): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const book = createRuleBook(options.rules ?? [], options.fallback ?? []);
  const requests: RequestSummary[] = [];
  const attempts = new Map<string, number>();
  let counter = 0;
  const nextId = (prefix: string): string => `${prefix}${String(++counter).padStart(6, "0")}`;

  const note = (summary: RequestSummary): void => {
    requests.push(summary);
    if (requests.length > KEPT_REQUESTS) requests.shift();
  };

  const answerMessages = async (
    body: JsonObject,
    summary: RequestSummary,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const request = readRequest(body);
    note({
      ...summary,
      ...describe(body, incoming),
      tools: [...request.tools],
      text: request.prompt.slice(0, 300),
    });
    const { script, step } = book.choose(request);
    const user = JSON.stringify(objectOf(body["metadata"])["user_id"] ?? "");
    const key = createHash("sha256").update(`${script}#${step}#${user}`).digest("hex");
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    const operations = compile(script, step, request, () => nextId("toolu_fake"));
    await playReply({ request, operations, attempt, nextId }, response);
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = incoming.method ?? "GET";
    const { pathname } = new URL(incoming.url ?? "/", "http://127.0.0.1");
    const raw = await readBody(incoming);
    const summary: RequestSummary = { method, path: incoming.url ?? "/", bytes: raw.length };

    if (pathname === "/__rules") {
      if (method === "PUT") book.replace(parseRules(raw));
      if (method === "DELETE") book.replace([]);
      return sendJson(response, 200, { rules: JSON.parse(JSON.stringify(book.rules())) as Json });
    }
    if (pathname === "/__requests") {
      const kept = [...requests];
      if (method === "DELETE") requests.length = 0;
      return sendJson(response, 200, { requests: kept });
    }
    if (method === "POST" && pathname === "/v1/messages") {
      const body = parseBody(raw);
      if (body !== undefined) return answerMessages(body, summary, incoming, response);
      note(summary);
      return sendJson(response, 400, errorBody("invalid_request_error", "body is not JSON"));
    }
    note(summary);
    if (method === "POST" && pathname === "/v1/messages/count_tokens") {
      return sendJson(response, 200, { input_tokens: Math.ceil(raw.length / 4) });
    }
    if (pathname === "/v1/models") {
      const model = { type: "model", id: "claude-fake", display_name: "Fake" };
      return sendJson(response, 200, { data: [model], has_more: false });
    }
    // The CLI probes the root at its start.
    if (pathname === "/") return sendJson(response, 200, {});
    return sendJson(response, 404, errorBody("not_found_error", `no such endpoint: ${pathname}`));
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      // A mistake in a script. 400, because clients do not try that again.
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.socket?.destroy();
      else sendJson(response, 400, errorBody("invalid_request_error", `model server: ${message}`));
    });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => [...requests],
    setRules: (rules) => book.replace(rules),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function describe(body: JsonObject, incoming: IncomingMessage): JsonObject {
  const { messages, thinking, output_config: config } = body;
  return {
    model: body["model"] ?? null,
    stream: body["stream"] === true,
    messages: Array.isArray(messages) ? messages.length : 0,
    thinking: objectOf(thinking)["type"] ?? null,
    effort: objectOf(config)["effort"] ?? null,
    key: String(incoming.headers["x-api-key"] ?? incoming.headers.authorization ?? ""),
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("the request is larger than 64 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(raw: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(raw) as Json);
  } catch {
    return undefined;
  }
}
