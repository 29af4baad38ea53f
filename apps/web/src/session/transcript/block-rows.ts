import type { EventOfType } from "@lodge/protocol";
import type { Row } from "./row.ts";

/** The rows of one `assistant` line: one per block. */
export function blockRows({ seq, at, data }: EventOfType<"content">): readonly Row[] {
  return data.blocks.map((block, index): Row => {
    const base = { key: `${seq}.${index}`, at };
    switch (block.type) {
      case "text":
        return {
          ...base,
          kind: "text",
          messageId: data.messageId,
          text: block.text,
          isSynthetic: data.synthetic === true,
          error: data.error ?? null,
          isSuperseded: false,
        };
      case "thinking":
        return {
          ...base,
          kind: "thinking",
          messageId: data.messageId,
          text: block.thinking,
          isSuperseded: false,
        };
      case "tool_use":
        return {
          key: `tool:${block.id}`,
          at,
          kind: "tool",
          toolUseId: block.id,
          name: block.name,
          input: block.input,
          result: null,
          answer: null,
          task: null,
          todos: null,
          isDenied: false,
          isAbandoned: false,
          children: [],
        };
      case "image":
      case "document":
      case "other":
        return { ...base, kind: "block", block };
    }
  });
}
