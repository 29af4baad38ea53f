/** `stream_event`: pieces of a message being written. Shown, never an event. */
import { type Fields, fieldsOf, textOrNull } from "../fields.ts";
import type { StreamPiece } from "../normalized-line.ts";

const BLOCK_KIND: Readonly<Record<string, "text" | "thinking" | "tool_input">> = {
  text: "text",
  thinking: "thinking",
  tool_use: "tool_input",
};

const indexOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 10_000
    ? value
    : null;

export function streamPiece(line: Fields): StreamPiece | null {
  // Subagents send whole lines only; should that change, their pieces are not the message shown.
  if (textOrNull(line["parent_tool_use_id"]) !== null) return null;
  const event = fieldsOf(line["event"]);
  const block = indexOf(event["index"]);
  switch (event["type"]) {
    case "message_start": {
      const messageId = fieldsOf(event["message"])["id"];
      return typeof messageId === "string" ? { type: "message_start", messageId } : null;
    }
    case "content_block_start": {
      const { type, name } = fieldsOf(event["content_block"]);
      if (block === null) return null;
      const kind =
        typeof type === "string" && Object.hasOwn(BLOCK_KIND, type) ? BLOCK_KIND[type] : undefined;
      return {
        type: "block_start",
        block,
        kind: kind ?? "other",
        ...(kind === "tool_input" && typeof name === "string" && { toolName: name }),
      };
    }
    case "content_block_delta": {
      const { type, text, thinking, partial_json: json } = fieldsOf(event["delta"]);
      const said =
        type === "text_delta"
          ? text
          : type === "thinking_delta"
            ? thinking
            : type === "input_json_delta"
              ? json
              : null;
      return block !== null && typeof said === "string"
        ? { type: "block_delta", block, text: said }
        : null;
    }
    case "content_block_stop":
      return block === null ? null : { type: "block_stop", block };
    case "message_stop":
      return { type: "message_stop" };
    default:
      return null;
  }
}
