/**
 * One line of the CLI's stdout → what it means. Pure; knows the wire format and nothing else.
 *
 * Nothing is dropped: a line that is not understood becomes a notice that holds it, and no line,
 * whatever is in it, makes this throw. Only lines known to say nothing of their own give nothing.
 */
import { assistantLine } from "./cli/assistant.ts";
import { type ControlLine, controlCancel, controlRequest, controlResponse } from "./cli/control.ts";
import { cliNotice, type LineEvents, nameOf, NOTHING } from "./cli/draft.ts";
import { authStatusLine, rateLimitLine, toolUseSummaryLine } from "./cli/other.ts";
import { parseLine } from "./cli/parse-line.ts";
import { resultLine } from "./cli/result.ts";
import { streamPiece } from "./cli/stream.ts";
import { systemLine } from "./cli/system.ts";
import { toolProgressLine } from "./cli/task.ts";
import { userLine } from "./cli/user.ts";
import type { EventDraft, RunId } from "./event.ts";
import { type Fields, isFields } from "./fields.ts";
import type { NormalizedLine } from "./normalized-line.ts";
import type { SessionState } from "./state.ts";

export type NormalizeContext = { readonly runId: RunId; readonly state: SessionState };

type LineHandler = (line: Fields, context: NormalizeContext) => LineEvents;
type ControlHandler = (line: Fields, context: NormalizeContext) => ControlLine | null;

const LINES: Readonly<Record<string, LineHandler>> = {
  assistant: assistantLine,
  user: userLine,
  system: systemLine,
  result: resultLine,
  control_cancel_request: controlCancel,
  auth_status: authStatusLine,
  tool_progress: toolProgressLine,
  tool_use_summary: toolUseSummaryLine,
  rate_limit_event: rateLimitLine,
  keep_alive: () => NOTHING,
  // What the CLI writes to its own transcript file, again.
  transcript_mirror: () => NOTHING,
};
const CONTROL: Readonly<Record<string, ControlHandler>> = {
  control_request: controlRequest,
  control_response: controlResponse,
};

const EMPTY: NormalizedLine = { events: [], stream: null, reply: null, answers: [] };
const only = (events: readonly EventDraft[]): NormalizedLine => ({ ...EMPTY, events });

export function normalizeLine(
  bytes: Uint8Array,
  context: NormalizeContext,
  cut = false,
): NormalizedLine {
  const parsed = parseLine(bytes);
  if (parsed.kind === "empty") return EMPTY;
  if (parsed.kind === "bad") {
    const text = cut
      ? "The process ended in the middle of this line."
      : `A line of the CLI that cannot be read: ${parsed.why}.`;
    return only([
      cliNotice(context, cut ? "cut_line" : "bad_line", {
        level: "warning",
        text,
        raw: parsed.head,
      }),
    ]);
  }
  return normalizeMessage(parsed.message, context);
}

function normalizeMessage(line: Fields, context: NormalizeContext): NormalizedLine {
  const { type } = line;
  if (type === "stream_event" && isFields(line["event"]))
    return { ...EMPTY, stream: streamPiece(line) };
  if (typeof type === "string" && Object.hasOwn(LINES, type)) {
    const events = LINES[type]?.(line, context);
    if (events) return only(events);
  }
  if (typeof type === "string" && Object.hasOwn(CONTROL, type)) {
    const control = CONTROL[type]?.(line, context);
    if (control) return { ...EMPTY, ...control };
  }
  const text = `A line of the CLI that Lodge does not know: ${nameOf(line)}`;
  return only([cliNotice(context, "unknown_line", { text, raw: line })]);
}
