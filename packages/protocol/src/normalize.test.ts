import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { fold, initialState } from "./fold.ts";
import { normalizeLine } from "./normalize.ts";
import type { NormalizedLine } from "./normalized-line.ts";
import type { SessionState } from "./state.ts";
import { buildEvent, numbered, RUN_ID } from "./testing/build-event.ts";
import { encodeUtf8 } from "./utf8.ts";

const RUNNING = fold(numbered([buildEvent("run:start"), buildEvent("run:ready")]));
const after = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered(events, RUNNING.seq + 1), RUNNING);

const take = (line: string | Uint8Array, state = RUNNING, cut = false): NormalizedLine =>
  normalizeLine(typeof line === "string" ? encodeUtf8(line) : line, { runId: RUN_ID, state }, cut);
const takeJson = (line: unknown, state = RUNNING): NormalizedLine =>
  take(JSON.stringify(line), state);
const kinds = (line: NormalizedLine): unknown[] =>
  line.events.map((event) => (event.type === "notice" ? event.data.kind : event.type));
const system = (subtype: string, fields: object = {}): object => ({
  type: "system",
  subtype,
  session_id: "s",
  ...fields,
});

describe("lines that cannot be read", () => {
  it.each<[string, string | Uint8Array]>([
    ["not JSON", "Not logged in"],
    ["half a JSON", '{"type":"assistant","mess'],
    ["a JSON that is no object", "[1,2,3]"],
    ["null", "null"],
    ["not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
    ["only blanks", "   "],
  ])("[N3] %s is kept as a bad line", (_what, line) => {
    const { events } = take(line);
    expect(events).toMatchObject([
      { type: "notice", data: { kind: "bad_line", level: "warning" } },
    ]);
    const raw = (events[0] as { data: { raw?: unknown } }).data.raw;
    expect(raw).toBe(typeof line === "string" ? line : "{\ufffd}");
  });

  it("[N3] keeps the beginning of a long one", () => {
    const { events } = take(`x${"é".repeat(10_000)}`);
    expect(JSON.stringify(events).length).toBeLessThan(5_000);
  });

  it("[N4] a line the process died in is a cut line, unless it is whole all the same", () => {
    expect(kinds(take('{"type":"resu', RUNNING, true))).toEqual(["cut_line"]);
    expect(kinds(take(JSON.stringify(system("init")), RUNNING, true))).toEqual([
      "run:ready",
      "turn:start",
    ]);
  });

  it("[N3] an empty line is no line", () => {
    for (const line of ["", "\r"])
      expect(take(line)).toEqual({ events: [], stream: null, reply: null, answers: [] });
  });

  it.each([
    { type: "hologram" },
    { no: "type" },
    system("bridge_state"),
    { type: "assistant" },
    { type: "user", message: 5 },
    { type: "prompt_suggestion" },
  ])("[N5] %j is kept as it came", (line) => {
    expect(takeJson(line).events).toMatchObject([
      { type: "notice", data: { kind: "unknown_line", raw: line } },
    ]);
  });
});

describe("init", () => {
  const init = system("init", {
    cwd: "/p",
    model: "m",
    permissionMode: "plan",
    tools: ["Bash", 7],
    mcp_servers: [
      { name: "a", status: "connected" },
      { name: "b", status: "failed" },
      { name: "c", status: "needs-auth" },
      5,
    ],
    slash_commands: ["clear"],
    claude_code_version: "2.1.197",
  });

  it("[N6] the first of a run completes what is known of it, and begins a turn; the next only begins one", () => {
    const first = takeJson(init);
    expect(kinds(first)).toEqual(["run:ready", "turn:start", "mcp_failed", "mcp_failed"]);
    expect(first.events[0]).toMatchObject({
      data: {
        complete: true,
        tools: ["Bash"],
        cwd: "/p",
        permissionMode: "plan",
        cliVersion: "2.1.197",
      },
    });
    expect(kinds(takeJson(init, after(buildEvent("turn:start"), buildEvent("turn:end"))))).toEqual([
      "turn:start",
    ]);
  });

  it("[N6] is a first one for a run the state does not know", () => {
    expect(kinds(takeJson(init, initialState)).slice(0, 2)).toEqual(["run:ready", "turn:start"]);
  });

  it("[N8] a mode that Lodge does not know is no mode", () => {
    expect(takeJson(system("init", { permissionMode: "nonsense" })).events[1]).toMatchObject({
      data: { permissionMode: null },
    });
    expect(kinds(takeJson(system("status", { status: null, permissionMode: "nonsense" })))).toEqual(
      ["drift"],
    );
  });
});

describe("status and limits", () => {
  it("[N8] a mode is told only when it is another", () => {
    expect(takeJson(system("status", { permissionMode: "plan" })).events).toMatchObject([
      { type: "config:changed", source: "cli", data: { permissionMode: "plan" } },
    ]);
    expect(kinds(takeJson(system("status", { permissionMode: "default" })))).toEqual([]);
  });

  it("[N9] usage limits, as the published types have them, in seconds or milliseconds", () => {
    const info = (fields: object): NormalizedLine =>
      takeJson({ type: "rate_limit_event", rate_limit_info: fields });
    expect(
      info({ status: "rejected", resetsAt: 1_800_000_000, rateLimitType: "five_hour" }).events,
    ).toMatchObject([
      { type: "limit", data: { kind: "usage", error: "five_hour", endsAt: 1_800_000_000_000 } },
    ]);
    expect(info({ status: "rejected", resetsAt: 1_800_000_000_000 }).events).toMatchObject([
      { data: { endsAt: 1_800_000_000_000 } },
    ]);
    expect(info({ status: "allowed_warning", utilization: 0.855 }).events).toMatchObject([
      { data: { kind: "usage_warning", text: "86 % of the usage limit." } },
    ]);
    expect(info({ status: "allowed" }).events).toEqual([]);
    expect(kinds(info({ status: "new" }))).toEqual(["unknown_line"]);
  });
});

describe("user lines", () => {
  const user = (content: unknown, fields: object = {}): NormalizedLine =>
    takeJson(
      { type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...fields },
      after(buildEvent("input:queued"), buildEvent("input:sent")),
    );
  const uuid = (buildEvent("input:queued").data as { inputId: string }).inputId;

  it("[N10] an echo is of the input that has its uuid; without a timestamp it was merged or dropped", () => {
    expect(user("Hi", { isReplay: true, uuid, timestamp: "t" }).events).toMatchObject([
      { type: "input:taken", data: { inputId: uuid, merged: false } },
    ]);
    expect(user("Hi", { isReplay: true, uuid }).events).toMatchObject([{ data: { merged: true } }]);
  });

  it.each<[string, unknown, object, string]>([
    ["an echo of nobody's input", "Hi", { isReplay: true, uuid: "x" }, "user_message"],
    [
      "an interrupt",
      [{ type: "text", text: "[Request interrupted by user for tool use]" }],
      {},
      "interrupted",
    ],
    [
      "local output",
      "<local-command-stdout>Set model</local-command-stdout>",
      { isReplay: true },
      "local_output",
    ],
    [
      "a subagent's prompt",
      [{ type: "text", text: "Do it" }],
      { parent_tool_use_id: "toolu_9" },
      "subagent_prompt",
    ],
    ["a summary", "This session is being continued from", { isSynthetic: true }, "compact_summary"],
    ["other words of the CLI", "Continue", { isSynthetic: true }, "user_message"],
  ])("[N11] %s", (_what, content, fields, kind) => {
    expect(kinds(user(content, fields))).toEqual([kind]);
  });

  it("[N12] results are kept whole, with the CLI's detail, and what stands beside them is not lost", () => {
    const content = [
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "image", source: {} }] },
      { type: "tool_result", tool_use_id: "toolu_2", is_error: true },
      { type: "text", text: "by the way" },
    ];
    const { events } = user(content, { tool_use_result: { stdout: "x" } });
    expect(events).toMatchObject([
      {
        type: "result",
        data: {
          blocks: [
            { toolUseId: "toolu_1", isError: false, content: [{ type: "image", source: {} }] },
            { toolUseId: "toolu_2", isError: true, content: "" },
          ],
          detail: { stdout: "x" },
        },
      },
      { type: "notice", data: { kind: "user_message", text: "by the way" } },
    ]);
  });
});

describe("assistant lines", () => {
  it("[N13] blocks of unknown kinds are kept as they came, and broken ones too", () => {
    const blocks = [
      { type: "redacted_thinking", data: "x" },
      { type: "tool_use", id: "a" },
      "text",
      { type: "text", text: "Hi" },
    ];
    expect(
      takeJson({ type: "assistant", message: { id: "m", content: blocks } }).events,
    ).toMatchObject([
      {
        type: "content",
        data: {
          messageId: "m",
          blocks: [
            ...blocks.slice(0, 3).map((block) => ({ type: "other", block })),
            { type: "text", text: "Hi" },
          ],
        },
      },
    ]);
  });

  it("[N14] the CLI's own words carry no model and no usage, but their error", () => {
    const message = { id: "m", model: "<synthetic>", content: [], usage: { input_tokens: 0 } };
    expect(takeJson({ type: "assistant", message, error: "rate_limit" }).events).toMatchObject([
      { data: { synthetic: true, model: null, usage: null, error: "rate_limit" } },
    ]);
  });
});

describe("lines with nothing of their own", () => {
  it.each([
    { type: "keep_alive" },
    { type: "transcript_mirror", entries: [] },
    system("thinking_tokens"),
    system("session_state_changed", { state: "idle" }),
    system("status", { status: "requesting" }),
  ])("[N1] %j gives nothing", (line) => {
    expect(takeJson(line)).toEqual({ events: [], stream: null, reply: null, answers: [] });
  });

  it("[N21] the other known lines become notices of their kind", () => {
    const lines = [
      system("hook_response", { hook_name: "Stop", outcome: "error", output: "x" }),
      system("informational", { content: "c", level: "warning" }),
      system("model_fallback", { fallback_model: "b" }),
      system("model_refusal_no_fallback", { content: "" }),
      system("permission_denied", { tool_use_id: "t" }),
      { type: "auth_status", output: [], error: "no" },
      { type: "tool_use_summary", summary: "s" },
    ];
    expect(lines.flatMap((line) => kinds(takeJson(line)))).toEqual([
      "hook",
      "informational",
      "model_fallback",
      "model_fallback",
      "permission_denied",
      "auth",
      "tool_summary",
    ]);
    expect(kinds(takeJson({ type: "tool_progress", task_id: "t", tool_name: "Bash" }))).toEqual([
      "task:updated",
    ]);
  });
});
