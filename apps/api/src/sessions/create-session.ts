/**
 * Making a session. Repeatable when the client chose its id: the row, the settings and the prompt
 * each happen once, however often it is asked.
 */
import { createHash, randomUUID } from "node:crypto";
import type { CreateSessionBody } from "@lodge/protocol";
import { authorOf, type Actor } from "../auth/actor.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";

const LOCAL_RUNNER = "local";

export async function createSession(
  deps: Pick<Deps, "sessions" | "manager" | "runners" | "storage">,
  body: CreateSessionBody,
  actor: Actor,
): Promise<string> {
  if (!deps.storage.healthy)
    throw new HttpError("store_unavailable", "The log cannot be written at the moment.");
  if (body.permissionMode === "bypassPermissions" && actor.role !== "admin")
    throw new HttpError("forbidden", "Only an admin may switch permission checks off.");
  const runnerId = body.runnerId ?? deps.runners.list()[0]?.runnerId ?? LOCAL_RUNNER;
  if (body.runnerId !== undefined && !deps.runners.isConnected(body.runnerId))
    throw new HttpError("bad_request", "runnerId: no such runner is connected.");
  await deps.sessions.ensureRunner(runnerId);

  const hasPrompt = body.prompt !== undefined || (body.contentBlocks?.length ?? 0) > 0;
  const make = async (): Promise<string> => {
    const id = body.id ?? randomUUID();
    const { row } = await deps.sessions.create({
      id,
      ownerId: actor.userId,
      runnerId,
      cwd: body.cwd ?? null,
    });
    // An id that is another's says nothing about that other.
    if (row.ownerId !== actor.userId || row.deleted)
      throw new HttpError("conflict", "This id cannot be used.");

    const session = await deps.manager.open(id);
    await session.begin(
      {
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(body.permissionMode === undefined ? {} : { permissionMode: body.permissionMode }),
        ...(body.model === undefined ? {} : { model: body.model }),
        ...(body.effort === undefined ? {} : { effort: body.effort }),
      },
      hasPrompt
        ? {
            input: body.prompt ?? "",
            inputId: firstInputId(id),
            ...(body.contentBlocks ? { contentBlocks: body.contentBlocks } : {}),
          }
        : null,
      authorOf(actor),
    );
    return id;
  };
  // Refused before anything is made: a full house must not leave empty sessions behind.
  return hasPrompt ? deps.manager.admitted(null, make) : make();
}

/** The prompt of a repeated request is the same input: its id follows from the session's. */
function firstInputId(sessionId: string): string {
  const hex = createHash("sha256").update(`lodge-first-input-v1:${sessionId}`).digest("hex");
  // Version 8 of RFC 9562: a UUID of one's own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
