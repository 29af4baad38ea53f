/**
 * What a Messages API request says, cut down to the parts that rules and scripts look at.
 * Bodies come from outside and are never trusted to have a shape: whatever is missing reads as empty.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

interface Message {
  readonly role: string;
  readonly blocks: readonly JsonObject[];
}

export interface ModelRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  /** The last thing a person said, without the reminders that the CLI adds. */
  readonly prompt: string;
  /** How many assistant turns already follow that prompt. */
  readonly promptStep: number;
  /** The last user text that has a directive in it, and the turns that follow it. */
  readonly script: string;
  readonly scriptStep: number;
  /** Tool results in the last message, and the latest ones anywhere. */
  readonly toolResult: string;
  readonly lastToolResult: string;
  readonly tools: readonly string[];
  readonly everything: string;
  readonly cwd: string;
}

export function readRequest(body: JsonObject): ModelRequest {
  const messages = arrayOf(body["messages"]).map(messageOf);
  const last = messages.findLast((message) => message.role === "user");
  const promptAt = messages.findLastIndex((m) => m.role === "user" && promptOf(m) !== "");
  const scriptAt = messages.findLastIndex((m) => m.role === "user" && scriptOf(m) !== "");
  const system = systemOf(body["system"]);
  const everything = [system, ...messages.flatMap((m) => m.blocks.map(textOf))].join("\n");
  const turnsAfter = (at: number): number =>
    at < 0 ? 0 : messages.slice(at + 1).filter((m) => m.role === "assistant").length;
  const at = (index: number, read: (message: Message) => string): string => {
    const message = messages[index];
    return message === undefined ? "" : read(message);
  };
  const answered = messages.findLast((m) => m.role === "user" && toolResultOf(m) !== "");
  return {
    body,
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    system,
    prompt: at(promptAt, promptOf),
    promptStep: turnsAfter(promptAt),
    script: at(scriptAt, scriptOf),
    scriptStep: turnsAfter(scriptAt),
    toolResult: last === undefined ? "" : toolResultOf(last),
    lastToolResult: answered === undefined ? "" : toolResultOf(answered),
    tools: arrayOf(body["tools"]).map((tool) =>
      stringOf(objectOf(tool)["name"] ?? objectOf(tool)["type"]),
    ),
    everything,
    cwd: /working directory: *(\S+)/i.exec(everything)?.[1] ?? "/",
  };
}

export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function messageOf(value: Json): Message {
  const { role, content } = objectOf(value);
  const blocks = Array.isArray(content)
    ? content.map(objectOf)
    : [{ type: "text", text: stringOf(content) }];
  return { role: stringOf(role), blocks };
}

function systemOf(system: Json | undefined): string {
  return Array.isArray(system)
    ? system.map((block) => textOf(objectOf(block))).join("\n")
    : stringOf(system);
}

function textOf(block: JsonObject): string {
  return stringOf(block["text"]);
}

function saidIn(message: Message): string[] {
  return message.blocks
    .filter((block) => block["type"] === "text")
    .map((block) => textOf(block).replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, ""));
}

function promptOf(message: Message): string {
  return saidIn(message).join("\n").trim();
}

/** One block only: the CLI merges user turns that never got an answer into one message. */
function scriptOf(message: Message): string {
  return saidIn(message).findLast((text) => /^@\w+/m.test(text)) ?? "";
}

function toolResultOf(message: Message): string {
  return message.blocks
    .filter((block) => block["type"] === "tool_result")
    .map(({ content }) =>
      Array.isArray(content)
        ? content.map((part) => textOf(objectOf(part))).join("\n")
        : stringOf(content),
    )
    .join("\n");
}
