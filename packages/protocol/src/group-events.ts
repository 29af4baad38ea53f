/**
 * A log → what a reader sees, in order: messages (their blocks joined again), runs of tool calls
 * with their results, and single events. What a subagent did stands apart, under its call.
 */
import { stateOf, type Log } from "./derive.ts";
import type {
  ContentBlock,
  EventOfType,
  EventType,
  SessionEvent,
  ToolResultBlock,
} from "./event.ts";
import { classifyTool, type ToolKind } from "./classify.ts";
import type { InputState } from "./state.ts";

type ToolUseBlock = Extract<ContentBlock, { type: "tool_use" }>;

export type ToolCall = {
  readonly toolUse: ToolUseBlock;
  readonly kind: ToolKind;
  /** seq of the event that called it: the key of the call in a list. */
  readonly seq: number;
  readonly at: number;
  /** null: it has not answered. */
  readonly result: ToolResultBlock | null;
  readonly resultSeq: number | null;
  readonly detail: unknown;
};
export type TranscriptItem =
  | {
      readonly kind: "message";
      readonly seq: number;
      readonly at: number;
      readonly messageId: string;
      readonly blocks: readonly ContentBlock[];
      readonly synthetic: boolean;
      readonly error: string | null;
    }
  | {
      readonly kind: "tools";
      readonly seq: number;
      readonly at: number;
      readonly calls: readonly ToolCall[];
    }
  | {
      readonly kind: "event";
      readonly seq: number;
      readonly at: number;
      readonly event: SessionEvent;
    };

/** Bookkeeping: nothing to read, and no break between two tool calls either. */
const IS_HIDDEN: Record<EventType, boolean> = {
  "run:start": false,
  "run:ready": true,
  "run:end": false,
  "run:error": false,
  "stop:requested": false,
  content: false,
  result: false,
  "turn:start": true,
  "turn:end": false,
  "input:queued": false,
  "input:sent": true,
  "input:taken": true,
  "input:cancelled": true,
  "task:started": true,
  "task:updated": true,
  "task:notification": false,
  "permission:requested": true,
  "permission:resolved": true,
  "config:changed": false,
  limit: true,
  notice: false,
};

const parentOf = (event: SessionEvent): string | null => {
  if (event.type === "content" || event.type === "result") return event.data.parentToolUseId;
  if (event.type === "notice" && event.data.kind === "subagent_prompt")
    return event.data.toolUseId ?? null;
  return null;
};

/** Items in the order of their first event. A result is found at the call it belongs to. [G1] */
export function groupEvents(events: Iterable<SessionEvent>): readonly TranscriptItem[] {
  return group([...events].filter((event) => parentOf(event) === null));
}

/** What each subagent said and did, by the id of the call that started it, as groups of its own. [G2] */
export function extractSubagentChildren(
  events: Iterable<SessionEvent>,
): ReadonlyMap<string, readonly TranscriptItem[]> {
  const byParent = new Map<string, SessionEvent[]>();
  for (const event of events) {
    const parent = parentOf(event);
    if (parent === null) continue;
    const children = byParent.get(parent);
    if (children) children.push(event);
    else byParent.set(parent, [event]);
  }
  return new Map([...byParent].map(([parent, children]) => [parent, group(children)]));
}

/** Inputs that the process has not taken up: shown after the transcript, in the order they will go. [G3] */
export const detectPendingMessages = (log: Log): readonly InputState[] =>
  stateOf(log).inputs.filter((input) => input.phase === "queued" || input.phase === "sent");

type Results = ReadonlyMap<
  string,
  { block: ToolResultBlock; event: EventOfType<"result">; alone: boolean }
>;

function indexResults(events: readonly SessionEvent[]): Results {
  const results = new Map<
    string,
    { block: ToolResultBlock; event: EventOfType<"result">; alone: boolean }
  >();
  for (const event of events) {
    if (event.type !== "result") continue;
    const alone = event.data.blocks.length === 1;
    for (const block of event.data.blocks) results.set(block.toolUseId, { block, event, alone });
  }
  return results;
}

function group(events: readonly SessionEvent[]): readonly TranscriptItem[] {
  const results = indexResults(events);
  const called = new Set<string>();
  const items: TranscriptItem[] = [];
  for (const event of events) {
    if (IS_HIDDEN[event.type]) continue;
    if (event.type === "content") addContent(items, event, { results, called });
    else if (
      event.type !== "result" ||
      !event.data.blocks.every((block) => called.has(block.toolUseId))
    )
      // A result whose call is before the window stands by itself.
      items.push({ kind: "event", seq: event.seq, at: event.at, event });
  }
  return items;
}

function addContent(
  items: TranscriptItem[],
  event: EventOfType<"content">,
  known: { results: Results; called: Set<string> },
): void {
  const { seq, at, data } = event;
  for (const block of data.blocks) {
    const last = items.at(-1);
    if (block.type === "tool_use") {
      known.called.add(block.id);
      const call = callOf(block, event, known.results);
      if (last?.kind === "tools")
        items[items.length - 1] = { ...last, calls: [...last.calls, call] };
      else items.push({ kind: "tools", seq, at, calls: [call] });
    } else if (last?.kind === "message" && last.messageId === data.messageId)
      items[items.length - 1] = {
        ...last,
        blocks: [...last.blocks, block],
        error: data.error ?? last.error,
      };
    else
      items.push({
        kind: "message",
        seq,
        at,
        messageId: data.messageId,
        blocks: [block],
        synthetic: data.synthetic === true,
        error: data.error ?? null,
      });
  }
}

function callOf(toolUse: ToolUseBlock, event: EventOfType<"content">, results: Results): ToolCall {
  const found = results.get(toolUse.id);
  return {
    toolUse,
    kind: classifyTool(toolUse.name),
    seq: event.seq,
    at: event.at,
    result: found?.block ?? null,
    resultSeq: found?.event.seq ?? null,
    // The CLI's structured result is of the line: it means one block only when there is one.
    detail: found?.alone === true ? found.event.data.detail : undefined,
  };
}
