/**
 * Sessions as somebody may see them: looked up, authorised, opened. Another's session is as absent
 * as one that never was. [H2]
 */
import { sessionIdSchema } from "@lodge/protocol";
import type { Session } from "@lodge/session";
import type { Context } from "hono";
import { authorise, type SessionVerb } from "../auth/authorise.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import type { SessionRow } from "./session-store.ts";

export function createAccess(deps: Pick<Deps, "sessions" | "manager">) {
  async function allowed(c: Context<AppEnv>, id: string, verb: SessionVerb): Promise<SessionRow> {
    const row = sessionIdSchema.safeParse(id).success ? await deps.sessions.get(id) : null;
    if (!row || !authorise(verb, c.get("actor"), { kind: "session", ownerId: row.ownerId }))
      throw new HttpError("not_found", "There is no such session.");
    return row;
  }
  async function opened(c: Context<AppEnv>, id: string, verb: SessionVerb): Promise<Session> {
    const row = await allowed(c, id, verb);
    // As it is kept, not as it was typed.
    return deps.manager.open(row.id);
  }
  return { allowed, opened };
}
