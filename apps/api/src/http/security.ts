/**
 * What every response carries and every request must show before anything looks at it.
 */
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../deps.ts";
import { HttpError } from "./http-error.ts";
import type { Origins } from "./origins.ts";

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types solid",
].join("; ");

export function securityHeaders(isHttps: boolean): MiddlewareHandler<AppEnv> {
  return async function setSecurityHeaders(c, next) {
    await next();
    const { headers } = c.res;
    headers.set("content-security-policy", CONTENT_SECURITY_POLICY);
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "no-referrer");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("permissions-policy", "camera=(), microphone=(), geolocation=()");
    if (isHttps) headers.set("strict-transport-security", "max-age=31536000; includeSubDomains");
    if (!headers.has("cache-control") && c.req.path.includes("/api/"))
      headers.set("cache-control", "no-store");
  };
}

/** A name that is not ours means somebody's DNS points here: the answer must not be usable. */
export function requireKnownHost(origins: Origins): MiddlewareHandler<AppEnv> {
  return async function checkHost(c, next) {
    if (!origins.isKnownHost(c.req.header("host")))
      throw new HttpError("misdirected", "This server does not answer to that host name.");
    await next();
  };
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whoever changes something through a browser must come from our own pages. Tools that carry a
 * token are no browser: nothing is sent along with their requests unasked.
 */
export function requireOwnOrigin(origins: Origins): MiddlewareHandler<AppEnv> {
  return async function checkOrigin(c, next) {
    const isTool =
      c.req.header("authorization") !== undefined && c.req.header("cookie") === undefined;
    if (!SAFE.has(c.req.method) && !isTool) {
      const site = c.req.header("sec-fetch-site");
      if (
        !origins.isOwn(c.req.header("origin"), c.req.header("host")) ||
        (site !== undefined && site !== "same-origin")
      )
        throw new HttpError("bad_origin", "This request did not come from Lodge's own pages.");
    }
    await next();
  };
}
