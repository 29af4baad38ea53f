/**
 * Bodies: JSON and nothing else, within a limit, in UTF-8, not nested beyond reason. Checked before
 * any schema looks at them; what is refused here says why.
 */
import { decodeUtf8 } from "@lodge/protocol";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { AppEnv } from "../deps.ts";
import { HttpError } from "./http-error.ts";

const MAX_DEPTH = 64;

export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new HttpError("too_large", `The request body is over ${maxBytes} bytes.`);
    },
  });
}

export const requireJsonBody: MiddlewareHandler<AppEnv> = async function checkBody(c, next) {
  const { method } = c.req;
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") {
    const type = c.req.header("content-type");
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.byteLength > 0) {
      if (type === undefined || !/^application\/json\s*(;\s*charset=utf-8)?$/i.test(type))
        throw new HttpError("unsupported_media_type", "The body must be application/json.");
      const text = decodeUtf8(bytes);
      if (text === null) throw new HttpError("invalid_json", "The body is not UTF-8.");
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        throw new HttpError("invalid_json", "The body is not JSON.");
      }
      if (isDeeperThan(value, MAX_DEPTH))
        throw new HttpError("bad_request", "The body is nested too deeply.");
    }
  }
  await next();
};

/** Without recursion: the input may be nested deeper than the stack. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level)
      if (typeof item === "object" && item !== null)
        for (const child of Object.values(item)) next.push(child);
    level = next;
  }
  return false;
}
