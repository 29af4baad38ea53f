/** How the next run of a session is started. */
import type { Author, EventDraft, RunConfig, RunId, SessionState } from "@lodge/protocol";
import type { SessionRecord } from "./session-record.ts";

export type RunStartDraft = Extract<EventDraft, { type: "run:start" }> & { readonly runId: RunId };

/** `by` null: nobody asked for it just now, the queue did. */
export function draftRunStart(
  state: SessionState,
  record: SessionRecord,
  { by, newId }: { readonly by: Author | null; readonly newId: () => string },
): RunStartDraft {
  const { config, resumeIds } = state;
  const known = resumeIds.at(-1);
  const start: RunConfig = {
    cwd: record.cwd,
    resumeId: known ?? newId(),
    resume: known !== undefined,
    model: config.model,
    effort: config.effort,
    permissionMode: mayBypass(config.permissionMode, by, record)
      ? config.permissionMode
      : "default",
    trust: config.trust,
  };
  return {
    type: "run:start",
    source: by ? "person" : "api",
    by,
    runId: newId(),
    data: { config: start },
  };
}

/** Bypass is never revived without a person who has the right and is present. [C6] */
const mayBypass = (
  mode: RunConfig["permissionMode"],
  by: Author | null,
  record: SessionRecord,
): boolean => mode !== "bypassPermissions" || (by !== null && record.allowBypass);
