import { describe, expect, it } from "vitest";
import { stdinKey } from "../stdin-key.ts";
import { initializeId, reconcileId } from "../control.ts";
import type { SessionEvent } from "../event.ts";
import { fold } from "../fold.ts";
import { normalizeLine } from "../normalize.ts";
import type { NormalizedLine } from "../normalized-line.ts";
import type { SessionState } from "../state.ts";
import { buildEvent, numbered, RUN_ID } from "../testing/build-event.ts";
import { encodeUtf8 } from "../utf8.ts";

const RUNNING = fold(numbered([buildEvent("run:start"), buildEvent("run:ready")]));
const after = (...events: readonly SessionEvent[]): SessionState =>
  fold(numbered(events, RUNNING.seq + 1), RUNNING);

const take = (line: string, state = RUNNING): NormalizedLine =>
  normalizeLine(encodeUtf8(line), { runId: RUN_ID, state });
const takeJson = (line: unknown, state = RUNNING): NormalizedLine =>
  take(JSON.stringify(line), state);
const kinds = (line: NormalizedLine): unknown[] =>
  line.events.map((event) => (event.type === "notice" ? event.data.kind : event.type));

describe("the control conversation", () => {
  const ask = (request: object): NormalizedLine =>
    takeJson({ type: "control_request", request_id: "r1", request });

  it.each<[object, string]>([
    [{ subtype: "can_use_tool", tool_name: "Bash", input: {} }, "tool"],
    [{ subtype: "can_use_tool", tool_name: "ExitPlanMode", input: {} }, "plan"],
    [{ subtype: "can_use_tool", tool_name: "AskUserQuestion", input: {} }, "question"],
    [{ subtype: "elicitation", mcp_server_name: "tiny", message: "Name?" }, "elicitation"],
    [{ subtype: "request_user_dialog", dialog_kind: "d", payload: {} }, "dialog"],
  ])("[N15] %j is a prompt", (request, kind) => {
    expect(ask(request).events).toMatchObject([
      { type: "permission:requested", data: { requestId: "r1", kind } },
    ]);
    expect(ask(request).answers).toEqual([]);
  });

  it.each(["hook_callback", "mcp_message", "oauth_token_refresh", "can_use_tool"])(
    "[N16] %s is answered with an error, and noticed",
    (subtype) => {
      const { events, answers } = ask({ subtype });
      expect(events).toMatchObject([{ type: "notice", data: { kind: "unknown_control_request" } }]);
      expect(answers.map(stdinKey)).toEqual(["response:r1"]);
      expect(answers[0]).toContain('"subtype":"error"');
      // What the CLI prints back of it is no refusal of ours.
      expect(take(answers[0] ?? "")).toMatchObject({ events: [], reply: null });
    },
  );

  it("[N17] a prompt is withdrawn when it is open, and only then", () => {
    const cancel = { type: "control_cancel_request", request_id: "request-1" };
    expect(takeJson(cancel, after(buildEvent("permission:requested"))).events).toMatchObject([
      { type: "permission:resolved", data: { requestId: "request-1", outcome: "withdrawn" } },
    ]);
    expect(takeJson(cancel).events).toEqual([]);
  });

  it("[N18] a host's own answer printed back is nothing", () => {
    const echo = {
      type: "control_response",
      response: { subtype: "success", request_id: "request-1", response: {} },
    };
    const asked = after(buildEvent("permission:requested"));
    const answered = after(buildEvent("permission:requested"), buildEvent("permission:resolved"));
    for (const state of [asked, answered])
      expect(takeJson(echo, state)).toMatchObject({ events: [], reply: null });
  });

  const success = (requestId: string, fields: object = {}, body: object = {}): object => ({
    type: "control_response",
    response: { subtype: "success", request_id: requestId, response: body, ...fields },
  });

  it("[N7] the reply to the run's `initialize` makes it ready", () => {
    const body = {
      pid: 5,
      account: { tokenSource: "none" },
      commands: [{ name: "x" }, 3],
      models: [{ value: "v" }],
    };
    const { events, reply } = takeJson(success(initializeId(RUN_ID), {}, body));
    expect(events).toMatchObject([
      {
        type: "run:ready",
        data: {
          complete: false,
          pid: 5,
          loggedIn: false,
          commands: [{ name: "x", description: "" }],
          models: [{ value: "v", efforts: [] }],
        },
      },
    ]);
    expect(reply).toMatchObject({ requestId: `init-${RUN_ID}`, ok: true, response: body });
    expect(kinds(takeJson(success("init-another-run", {}, body)))).toEqual([]);
  });

  it.each([
    [{ tokenSource: "none" }, false],
    [{ tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY" }, true],
    [{ tokenSource: "claude.ai" }, true],
    [{ tokenSource: "none", apiProvider: "bedrock" }, true],
  ])("[N7] an account %j is logged in: %s", (account, loggedIn) => {
    expect(takeJson(success(initializeId(RUN_ID), {}, { account })).events).toMatchObject([
      { data: { loggedIn } },
    ]);
  });

  it("[N19] a refusal is noticed, and handed to who asked", () => {
    const line = {
      type: "control_response",
      response: { subtype: "error", request_id: "config-3-mode", error: "No." },
    };
    expect(takeJson(line)).toMatchObject({
      events: [{ type: "notice", data: { kind: "control_error", text: "No." } }],
      reply: { requestId: "config-3-mode", ok: false, error: "No." },
    });
  });

  it("[N20] a repeated `initialize` finds prompts that were missed, and closes those that are gone", () => {
    const open = {
      type: "control_request",
      request_id: "r9",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: {} },
    };
    const line = success(reconcileId("1"), {
      pending_permission_requests: [open],
      pending_user_dialog_requests: [],
    });
    const { events, reply } = takeJson(line, after(buildEvent("permission:requested")));
    expect(events).toMatchObject([
      { type: "permission:requested", data: { requestId: "r9" } },
      {
        type: "permission:resolved",
        inferred: true,
        source: "recovery",
        data: { requestId: "request-1", outcome: "lost" },
      },
    ]);
    expect(reply?.pendingPrompts).toEqual([JSON.stringify(open)]);
    expect(
      kinds(takeJson(success("config-3-mode"), after(buildEvent("permission:requested")))),
    ).toEqual([]);
  });
});
