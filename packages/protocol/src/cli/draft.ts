/** What every part of the normaliser gives back, and the drafts it is made of. */
import type {
  EventDataByType,
  EventDraft,
  EventType,
  NoticeKind,
  NoticeLevel,
  RunId,
} from "../event.ts";
import type { SessionState } from "../state.ts";
import type { Fields } from "../fields.ts";

export type LineContext = { readonly runId: RunId; readonly state: SessionState };
/** null: the line is known by type, but its shape is not what that type has. */
export type LineEvents = readonly EventDraft[] | null;
export const NOTHING: readonly EventDraft[] = [];

export function cliEvent<T extends EventType>(
  context: LineContext,
  type: T,
  data: EventDataByType[T],
): EventDraft {
  return { type, data, source: "cli", runId: context.runId } as EventDraft;
}

type NoticeParts = {
  readonly level?: NoticeLevel;
  readonly text: string;
  readonly raw?: unknown;
  readonly toolUseId?: string | null;
};
export function cliNotice(context: LineContext, kind: NoticeKind, parts: NoticeParts): EventDraft {
  const { level = "info", text, raw, toolUseId } = parts;
  return cliEvent(context, "notice", {
    kind,
    level,
    text,
    ...(typeof toolUseId === "string" && { toolUseId }),
    ...(raw !== undefined && { raw }),
  });
}

/** The state knows this run: otherwise nothing it says about "the" run is meant. */
export const runOf = (context: LineContext): SessionState["run"] =>
  context.state.run?.runId === context.runId ? context.state.run : null;

export const isPending = (context: LineContext, requestId: string): boolean =>
  context.state.prompts.some(
    (open) => open.requestId === requestId && open.runId === context.runId,
  );
export const isResolved = (context: LineContext, requestId: string): boolean =>
  context.state.resolved.some(
    (closed) => closed.requestId === requestId && closed.runId === context.runId,
  );

/** A name of the line for a person: its type and subtype. */
export function nameOf(line: Fields): string {
  const type = typeof line["type"] === "string" ? line["type"] : "no type";
  return typeof line["subtype"] === "string" ? `${type}/${line["subtype"]}` : type;
}
