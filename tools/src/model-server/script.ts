/**
 * The little language in which a reply is written: one directive a line, other lines are ignored.
 *
 *   @text <text>             a text block, streamed word by word
 *   @pad <kb>                a text block of about <kb> KiB
 *   @think <text>            a thinking block, with a signature
 *   @redacted                a redacted_thinking block
 *   @tool <Name> <json>      a tool_use block, its input streamed
 *   @slow <ms>               a delay between the deltas that follow
 *   @pause <ms>              nothing for a while, in mid-stream
 *   @wait <ms>               a delay before the response headers
 *   @ping                    an SSE ping
 *   @stop <reason>           the stop_reason (refusal, max_tokens, pause_turn, …)
 *   @usage <json>            merged over the usage numbers
 *   @raw <json>              merged over the delta of the final message_delta
 *   @error <status> [times=N] [retry-after=S] [type=T] [message…]
 *   @overflow                400 "prompt is too long"
 *   @sse_error [type] [msg]  an SSE `error` event in mid-stream, then the end
 *   @disconnect [times=N]    the socket is dropped here
 *   @cut [times=N] <text>    the socket is dropped in the middle of this text
 *   @hang                    nothing more is sent, the socket stays open
 *   @then                    the next step: one step is one reply
 *
 * With times=N only the first N attempts fail. Text knows \n \t \r \" \\ \xHH \uXXXX \u{X…}.
 * {{cwd}} is the working directory that the prompt names, {{match:REGEX}} group 1 (or all) of REGEX in the
 * latest tool results, {{seen:REGEX}} likewise anywhere in the request, {{pad:KB}} filler.
 */
import { type Json, type JsonObject, type ModelRequest, objectOf } from "./request.ts";

export type Block = JsonObject & { type: string };

export type Operation =
  | { readonly op: "block"; readonly block: Block; readonly chunk?: number }
  | { readonly op: "slow" | "pause" | "wait"; readonly ms: number }
  | { readonly op: "usage" | "raw"; readonly value: JsonObject }
  | { readonly op: "stop"; readonly reason: string }
  | { readonly op: "ping" | "hang" }
  | { readonly op: "sse_error"; readonly type: string; readonly message: string }
  | { readonly op: "disconnect"; readonly times: number }
  | { readonly op: "cut"; readonly times: number; readonly text: string }
  | {
      readonly op: "error";
      readonly times: number;
      readonly status: number;
      readonly type: string | undefined;
      readonly message: string;
      readonly retryAfter: string | undefined;
    };

/** One step of a script, ready to be played. Throws on a mistake in the script. */
export function compile(
  script: string,
  step: number,
  request: ModelRequest,
  nextId: () => string,
): Operation[] {
  const steps: { name: string; argument: string }[][] = [[]];
  for (const line of script.split("\n")) {
    const found = /^@(\w+)(?:\s+([\s\S]*))?$/.exec(line.trim());
    if (found === null) continue;
    if (found[1] === "then") steps.push([]);
    else steps.at(-1)?.push({ name: found[1] ?? "", argument: found[2] ?? "" });
  }
  const directives = steps[step];
  if (directives === undefined) return [{ op: "block", block: { type: "text", text: "Done." } }];
  return directives.map(({ name, argument }) => operationOf(name, argument, request, nextId));
}

function operationOf(
  name: string,
  argument: string,
  request: ModelRequest,
  nextId: () => string,
): Operation {
  const textOf = (text: string): string => unescapeText(fill(text, request));
  switch (name) {
    case "text":
      return { op: "block", block: { type: "text", text: textOf(argument) } };
    case "pad":
      return { op: "block", block: { type: "text", text: filler(argument) }, chunk: 4096 };
    case "think":
      return {
        op: "block",
        block: { type: "thinking", thinking: unescapeText(argument), signature: "c2lnbmF0dXJl" },
      };
    case "redacted":
      return { op: "block", block: { type: "redacted_thinking", data: "cmVkYWN0ZWQ=" } };
    case "tool": {
      const [, tool = "", json = ""] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
      const input = jsonObject(fill(json === "" ? "{}" : json, request));
      return { op: "block", block: { type: "tool_use", id: nextId(), name: tool, input } };
    }
    case "usage":
    case "raw":
      return { op: name, value: jsonObject(argument) };
    case "slow":
    case "pause":
    case "wait":
      return { op: name, ms: Number(argument) };
    case "stop":
      return { op: "stop", reason: argument };
    case "ping":
    case "hang":
      return { op: name };
    case "overflow":
      return errorOf(400, "prompt is too long: 208310 tokens > 200000 maximum");
    case "error":
      return errorOf(Number.parseInt(argument, 10), argument.replace(/^\d+/, ""));
    case "sse_error": {
      const [, type = "", message = ""] = /^(\S*)\s*(.*)$/.exec(argument) ?? [];
      return {
        op: "sse_error",
        type: type || "overloaded_error",
        message: message || "Overloaded",
      };
    }
    case "disconnect":
      return { op: "disconnect", times: optionsOf(argument).times };
    case "cut": {
      const { times, rest } = optionsOf(argument);
      return { op: "cut", times, text: textOf(rest) };
    }
    default:
      throw new Error(`@${name} is no directive`);
  }
}

function errorOf(status: number, argument: string): Operation {
  const { options, times, rest } = optionsOf(argument);
  return {
    op: "error",
    times,
    status,
    type: options.get("type"),
    message: rest,
    retryAfter: options.get("retry-after"),
  };
}

/** `times=2 retry-after=1 some words` → its options and the words that are left. */
function optionsOf(argument: string): {
  options: Map<string, string>;
  times: number;
  rest: string;
} {
  const options = new Map<string, string>();
  let rest = argument.trim();
  for (;;) {
    const found = /^([a-z-]+)=(\S+)\s*/.exec(rest);
    if (found === null) break;
    options.set(found[1] ?? "", found[2] ?? "");
    rest = rest.slice(found[0].length);
  }
  return { options, times: Number(options.get("times") ?? Number.POSITIVE_INFINITY), rest };
}

function jsonObject(text: string): JsonObject {
  const parsed: Json = JSON.parse(text);
  return objectOf(parsed);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };

function unescapeText(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gi,
    (all: string, braced?: string, four?: string, two?: string, other?: string) =>
      other === undefined
        ? String.fromCodePoint(Number.parseInt(braced ?? four ?? two ?? "fffd", 16))
        : (ESCAPES[other] ?? all),
  );
}

function filler(kib: string): string {
  return "lorem ipsum ".repeat(Math.ceil((Number(kib) * 1024) / 12));
}

function fill(template: string, request: ModelRequest): string {
  return template
    .replaceAll("{{cwd}}", () => request.cwd)
    .replaceAll(/\{\{pad:(\d+)\}\}/g, (_all, kib: string) => filler(kib))
    .replaceAll(/\{\{(match|seen):(.+?)\}\}/g, (_all, where: string, pattern: string) => {
      const found = new RegExp(pattern).exec(
        where === "match" ? request.lastToolResult : request.everything,
      );
      return found?.[1] ?? found?.[0] ?? "";
    });
}
