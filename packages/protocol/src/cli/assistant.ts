/** `assistant`: one block of a message, as a rule; the CLI's own words have the model `<synthetic>`. */
import type { EventDataByType } from "../event.ts";
import { type Fields, isFields, textOr, textOrNull, textsOf } from "../fields.ts";
import { contentBlocks, tokenUsage } from "./blocks.ts";
import { cliEvent, type LineContext, type LineEvents } from "./draft.ts";

const SYNTHETIC = "<synthetic>";

export function assistantLine(line: Fields, context: LineContext): LineEvents {
  const message = line["message"];
  if (!isFields(message)) return null;
  const model = textOrNull(message["model"]);
  const isSynthetic = model === SYNTHETIC;
  const stopReason = message["stop_reason"];
  const { error, subagent_type: subagentType, supersedes } = line;
  const data: EventDataByType["content"] = {
    messageId: textOr(message["id"], textOr(line["uuid"], "")),
    blocks: contentBlocks(message["content"]),
    usage: isFields(message["usage"]) && !isSynthetic ? tokenUsage(message["usage"]) : null,
    model: isSynthetic ? null : model,
    parentToolUseId: textOrNull(line["parent_tool_use_id"]),
    ...(typeof stopReason === "string" && { stopReason }),
    ...(isSynthetic && { synthetic: true as const }),
    ...(typeof error === "string" && { error }),
    ...(typeof subagentType === "string" && { subagentType }),
    ...(Array.isArray(supersedes) && { supersedes: textsOf(supersedes) }),
  };
  return [cliEvent(context, "content", data)];
}
