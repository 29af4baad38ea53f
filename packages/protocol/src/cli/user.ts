/**
 * `user`: results of tools; echoes of inputs (their uuid is the input's id); and what the CLI puts
 * in the user's place by itself, each of which becomes a notice of its kind.
 */
import type { EventDraft, ToolResultBlock } from "../event.ts";
import { type Fields, fieldsOf, isFields, listOf, textOrNull } from "../fields.ts";
import { plainText, toolResultBlock } from "./blocks.ts";
import { cliEvent, cliNotice, type LineContext, type LineEvents } from "./draft.ts";

export function userLine(line: Fields, context: LineContext): LineEvents {
  const message = line["message"];
  if (!isFields(message)) return null;
  const { content } = message;
  if (typeof content !== "string" && !Array.isArray(content)) return null;
  if (line["isReplay"] === true) return replay(line, content, context);
  const results: ToolResultBlock[] = [];
  const others: unknown[] = [];
  for (const block of listOf(content)) {
    const result = toolResultBlock(fieldsOf(block));
    if (result === null) others.push(block);
    else results.push(result);
  }
  if (results.length === 0) return [ownWords(line, content, context)];
  const detail = line["tool_use_result"];
  const events: EventDraft[] = [
    cliEvent(context, "result", {
      blocks: results,
      parentToolUseId: textOrNull(line["parent_tool_use_id"]),
      ...(detail !== undefined && { detail }),
    }),
  ];
  if (others.length > 0) events.push(ownWords(line, others, context));
  return events;
}

function replay(line: Fields, content: unknown, context: LineContext): LineEvents {
  const { uuid } = line;
  if (typeof uuid === "string" && context.state.inputs.some((input) => input.inputId === uuid))
    return [
      cliEvent(context, "input:taken", {
        inputId: uuid,
        merged: typeof line["timestamp"] !== "string",
      }),
    ];
  return [ownWords(line, content, context)];
}

/** What a local command printed comes in tags of its own: `<local-command-stdout>…`, `<bash-stdout>…`. */
const LOCAL_OUTPUT = /^\s*<(local-command-[a-z]+|command-[a-z]+|bash-[a-z-]+)>/;
const OUTPUT_TAGS = /<\/?(?:local-command-[a-z]+|command-[a-z]+|bash-[a-z-]+)>/g;

function ownWords(line: Fields, content: unknown, context: LineContext): EventDraft {
  const text = plainText(content);
  const parent = textOrNull(line["parent_tool_use_id"]);
  if (parent !== null) return cliNotice(context, "subagent_prompt", { text, toolUseId: parent });
  if (text.startsWith("[Request interrupted by user"))
    return cliNotice(context, "interrupted", { text });
  if (LOCAL_OUTPUT.test(text))
    return cliNotice(context, "local_output", {
      text: text.replaceAll(OUTPUT_TAGS, "").trim(),
      raw: line,
    });
  if (line["isSynthetic"] === true && isSummary(text, context))
    return cliNotice(context, "compact_summary", { text });
  return cliNotice(context, "user_message", { text, raw: line });
}

const isSummary = (text: string, context: LineContext): boolean =>
  context.state.turn?.compacted === true || text.startsWith("This session is being continued");
