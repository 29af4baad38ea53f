import { describe, expect, it } from "vitest";
import { classifyTool, parseMcpTool } from "./classify.ts";
import { clipEnd, clipStart } from "./clip.ts";
import type { ContentBlock, SessionEvent } from "./event.ts";
import { detectPendingMessages, extractSubagentChildren, groupEvents } from "./group-events.ts";
import { buildEvent, numbered } from "./testing/build-event.ts";

const said = (messageId: string, ...blocks: ContentBlock[]): SessionEvent =>
  buildEvent("content", { data: { messageId, blocks } });
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Bash", input: {} });
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const result = (toolUseId: string): SessionEvent =>
  buildEvent("result", {
    data: {
      blocks: [{ type: "tool_result", toolUseId, content: toolUseId, isError: false }],
      detail: toolUseId,
    },
  });

describe("a transcript", () => {
  it("[G1] joins the blocks of a message, and calls that follow one another", () => {
    const items = groupEvents(
      numbered([
        buildEvent("input:queued"),
        said("m1", { type: "thinking", thinking: "…" }),
        said("m1", text("First")),
        said("m1", use("t1")),
        buildEvent("permission:requested"),
        said("m1", use("t2")),
        result("t2"),
        result("t1"),
        said("m2", use("t3")),
        said("m2", text("Then")),
        buildEvent("turn:end"),
      ]),
    );
    expect(items.map((item) => item.kind)).toEqual([
      "event",
      "message",
      "tools",
      "message",
      "event",
    ]);
    expect(items[1]).toMatchObject({ seq: 2, blocks: [{ type: "thinking" }, { text: "First" }] });
    expect(items[2]).toMatchObject({
      calls: [
        { seq: 4, resultSeq: 8, detail: "t1", kind: "command" },
        { seq: 6, resultSeq: 7, result: { content: "t2" } },
        { seq: 9, result: null, resultSeq: null },
      ],
    });
  });

  it("[G1] a result whose call is before the window stands by itself", () => {
    expect(groupEvents([result("t0")])).toMatchObject([
      { kind: "event", event: { type: "result" } },
    ]);
  });

  it("[G2] subagents' words are apart, by the call they belong to", () => {
    const inner = buildEvent("content", { data: { parentToolUseId: "t1" } });
    const asked = buildEvent("notice", {
      data: { kind: "subagent_prompt", toolUseId: "t1", text: "Do" },
    });
    const events = numbered([said("m1", use("t1")), asked, inner]);
    expect(groupEvents(events)).toHaveLength(1);
    expect(
      extractSubagentChildren(events)
        .get("t1")
        ?.map((item) => item.kind),
    ).toEqual(["event", "message"]);
  });

  it("[G3] messages not yet taken up are pending, in their order", () => {
    const queue = (inputId: string): SessionEvent =>
      buildEvent("input:queued", { data: { inputId } });
    const sent = buildEvent("input:sent", { data: { inputId: "b" } });
    const taken = buildEvent("input:taken", { data: { inputId: "a" } });
    const log = numbered([
      buildEvent("run:start"),
      queue("a"),
      queue("b"),
      queue("c"),
      taken,
      sent,
    ]);
    expect(detectPendingMessages(log).map((input) => [input.inputId, input.phase])).toEqual([
      ["b", "sent"],
      ["c", "queued"],
    ]);
  });
});

describe("tools", () => {
  it.each([
    ["Bash", "command"],
    ["Agent", "agent"],
    ["mcp__tiny__say_hello", "mcp"],
    ["mcp__broken", "other"],
    ["constructor", "other"],
    ["Hologram", "other"],
  ])("[G4] %s is %s", (name, kind) => {
    expect(classifyTool(name)).toBe(kind);
  });

  it("[G4] an MCP tool has its server", () => {
    expect(parseMcpTool("mcp__my_server__do__it")).toEqual({ server: "my_server", tool: "do__it" });
  });
});

describe("cutting text", () => {
  it("[F3] leaves characters whole", () => {
    expect([
      clipStart("a😀", 2),
      clipStart("a😀", 3),
      clipEnd("😀a", 2),
      clipEnd("😀a", 3),
    ]).toEqual(["a", "a😀", "a", "😀a"]);
  });
});
