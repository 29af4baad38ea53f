/**
 * The one place where an error becomes a response. Nothing of ours is told but what was meant to
 * be: no stack, no SQL, no path.
 */
import { Refused } from "@lodge/session";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from "@lodge/protocol";
import type { AppEnv } from "../deps.ts";
import { HttpError } from "./http-error.ts";

export function errorBody(code: ErrorCode, message: string, requestId: string): ErrorBody {
  return { error: { code, message, requestId } };
}

export function onError(error: Error, c: Context<AppEnv>): Response {
  const requestId = c.get("requestId") ?? "";
  const answer = (code: ErrorCode, message: string): Response =>
    c.json(errorBody(code, message, requestId), ERROR_STATUS[code] as ContentfulStatusCode);
  if (error instanceof HttpError) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return answer(error.code, error.message);
  }
  if (error instanceof Refused) return answer(error.code, error.message);
  if (error instanceof HTTPException) {
    if (error.status === 413) return answer("too_large", "The request body is too large.");
    if (error.status === 400)
      return answer("bad_request", error.message || "The request is malformed.");
    if (error.status === 404) return answer("not_found", "There is nothing here.");
  }
  if (isDatabaseDown(error)) {
    c.get("log")?.warn({ err: error }, "the database could not be reached");
    return answer("store_unavailable", "The database cannot be reached at the moment.");
  }
  c.get("log")?.error({ err: error }, "a request failed");
  return answer("internal", "Something went wrong here. The log has it under this request id.");
}

/** Node's connection errors, postgres.js's own, and SQLSTATE classes 08 and 57P. */
function isDatabaseDown(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code } = e as { code?: unknown };
    if (typeof code !== "string") continue;
    if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|CONNECTION_|CONNECT_TIMEOUT|08|57P|53300)/.test(code))
      return true;
  }
  return false;
}
