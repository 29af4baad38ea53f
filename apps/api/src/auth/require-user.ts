/**
 * Nothing is public unless it is listed: every other request needs a person behind it.
 */
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv, Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";

/** All that may be asked for by anybody. Below the base path. */
export const PUBLIC_API: ReadonlySet<string> = new Set([
  "POST /api/auth/login",
  "POST /api/auth/setup",
  "POST /api/auth/logout",
  "GET /api/openapi.json",
]);

export function requireUser(deps: Deps): MiddlewareHandler<AppEnv> {
  return async function authenticate(c, next) {
    const path = c.req.path.slice(c.req.path.indexOf("/api/"));
    if (PUBLIC_API.has(`${c.req.method} ${path}`)) return next();
    const secret = cookieSecret(c, deps.logins.cookieName);
    if (c.req.header("authorization") !== undefined) {
      if (secret !== null)
        throw new HttpError("ambiguous_auth", "Send a cookie or a token, not both.");
      throw new HttpError("unauthenticated", "This token is not known here.");
    }
    const login = secret === null ? null : await deps.logins.validate(secret);
    if (!login) throw new HttpError("unauthenticated", "Please sign in.");
    if (login.cookie) c.header("set-cookie", login.cookie);
    c.set("actor", login.actor);
    return next();
  };
}

/** The login cookie's value; null when there is none. Two of one name are never chosen between. */
export function cookieSecret(c: Context, name: string): string | null {
  const values = (c.req.header("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (values.length > 1) throw new HttpError("bad_request", "The login cookie came twice.");
  return values[0] ?? null;
}
