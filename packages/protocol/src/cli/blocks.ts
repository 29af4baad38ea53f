/** Message content of the CLI → blocks. What is not understood is kept as it came. */
import type { ContentBlock, TokenUsage, ToolResultBlock } from "../event.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOrZero } from "../fields.ts";

export function contentBlocks(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).map(contentBlock);
}

function contentBlock(block: unknown): ContentBlock {
  const fields = fieldsOf(block);
  switch (fields["type"]) {
    case "text":
      if (typeof fields["text"] === "string") return { type: "text", text: fields["text"] };
      break;
    case "thinking":
      if (typeof fields["thinking"] === "string") {
        const { thinking, signature } = fields;
        return typeof signature === "string"
          ? { type: "thinking", thinking, signature }
          : { type: "thinking", thinking };
      }
      break;
    case "tool_use":
      if (
        typeof fields["id"] === "string" &&
        typeof fields["name"] === "string" &&
        isFields(fields["input"])
      )
        return { type: "tool_use", id: fields["id"], name: fields["name"], input: fields["input"] };
      break;
    case "image":
    case "document":
      if (isFields(fields["source"])) return { type: fields["type"], source: fields["source"] };
      break;
    default:
  }
  return { type: "other", block };
}

export function toolResultBlock(fields: Fields): ToolResultBlock | null {
  if (fields["type"] !== "tool_result" || typeof fields["tool_use_id"] !== "string") return null;
  const content = fields["content"];
  return {
    type: "tool_result",
    toolUseId: fields["tool_use_id"],
    content:
      typeof content === "string" || Array.isArray(content)
        ? content
        : content === undefined
          ? ""
          : [content],
    isError: fields["is_error"] === true,
  };
}

/** Text of a user line, joined: for notices, which show it plainly. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((block) => fieldsOf(block)["text"])
    .filter((text) => typeof text === "string")
    .join("\n");
}

export function tokenUsage(usage: unknown): TokenUsage {
  const fields = fieldsOf(usage);
  return {
    inputTokens: numberOrZero(fields["input_tokens"]),
    outputTokens: numberOrZero(fields["output_tokens"]),
    cacheReadTokens: numberOrZero(fields["cache_read_input_tokens"]),
    cacheCreationTokens: numberOrZero(fields["cache_creation_input_tokens"]),
  };
}
