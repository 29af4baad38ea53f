/**
 * The control conversation as the CLI speaks it: what it asks of a person, what it takes back, and
 * its answers to what the host asked.
 */
import {
  encodeControlError,
  initializeId,
  isReconcileId,
  UNSUPPORTED_REQUEST,
} from "../control.ts";
import type {
  EventDataByType,
  EventDraft,
  ModelOffer,
  PermissionUpdate,
  PromptKind,
  SlashCommand,
} from "../event.ts";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOrNull,
  textOr,
  textOrNull,
  textsOf,
} from "../fields.ts";
import type { ControlReply } from "../normalized-line.ts";
import {
  cliEvent,
  cliNotice,
  isPending,
  isResolved,
  type LineContext,
  type LineEvents,
  NOTHING,
  runOf,
} from "./draft.ts";

type Requested = EventDataByType["permission:requested"];
export type ControlLine = {
  readonly events: readonly EventDraft[];
  readonly reply: ControlReply | null;
  readonly answers: readonly string[];
};

const KIND_BY_TOOL: Readonly<Record<string, PromptKind>> = {
  ExitPlanMode: "plan",
  AskUserQuestion: "question",
};

const isUpdate = (value: unknown): value is PermissionUpdate =>
  isFields(value) && typeof value["type"] === "string";

/** A whole control_request message → the prompt it is for a person; null: none that Lodge can show. */
function promptOf(message: Fields): Requested | null {
  const { request_id: requestId } = message;
  const request = fieldsOf(message["request"]);
  if (typeof requestId !== "string") return null;
  switch (request["subtype"]) {
    case "can_use_tool": {
      const { tool_name: toolName } = request;
      if (typeof toolName !== "string") return null;
      return {
        requestId,
        kind:
          (Object.hasOwn(KIND_BY_TOOL, toolName) ? KIND_BY_TOOL[toolName] : undefined) ?? "tool",
        toolName,
        displayName: textOr(request["display_name"], toolName),
        input: fieldsOf(request["input"]),
        suggestions: listOf(request["permission_suggestions"]).filter(isUpdate),
        title: textOrNull(request["title"]),
        description: textOrNull(request["description"]),
        blockedPath: textOrNull(request["blocked_path"]),
        reason: textOrNull(request["decision_reason"]),
        reasonType: textOrNull(request["decision_reason_type"]),
        toolUseId: textOrNull(request["tool_use_id"]),
        agentId: textOrNull(request["agent_id"]),
      };
    }
    case "elicitation": {
      const server = textOr(request["mcp_server_name"], "MCP");
      const { subtype: _, ...input } = request;
      return plainPrompt({
        requestId,
        kind: "elicitation",
        name: server,
        input,
        description: request["message"],
      });
    }
    case "request_user_dialog": {
      const { payload } = request;
      const kind = textOr(request["dialog_kind"], "dialog");
      const input = isFields(payload) ? payload : { payload };
      return plainPrompt({
        requestId,
        kind: "dialog",
        name: kind,
        input,
        description: input["message"],
      });
    }
    default:
      return null;
  }
}

function plainPrompt(parts: {
  requestId: string;
  kind: PromptKind;
  name: string;
  input: Fields;
  description: unknown;
}): Requested {
  return {
    requestId: parts.requestId,
    kind: parts.kind,
    toolName: parts.name,
    displayName: parts.name,
    input: parts.input,
    suggestions: [],
    title: null,
    description: textOrNull(parts.description),
    blockedPath: null,
    reason: null,
    reasonType: null,
    toolUseId: null,
    agentId: null,
  };
}

/** null: not even an id to answer to. */
export function controlRequest(line: Fields, context: LineContext): ControlLine | null {
  const { request_id: requestId } = line;
  if (typeof requestId !== "string") return null;
  const prompt = promptOf(line);
  if (prompt !== null)
    return {
      events: [cliEvent(context, "permission:requested", prompt)],
      reply: null,
      answers: [],
    };
  const subtype = textOr(fieldsOf(line["request"])["subtype"], "?");
  const notice = cliNotice(context, "unknown_control_request", {
    level: "warning",
    text: `The CLI asked for something Lodge does not do: ${subtype}`,
    raw: line,
  });
  return {
    events: [notice],
    reply: null,
    answers: [encodeControlError(requestId, `${UNSUPPORTED_REQUEST}: ${subtype}`)],
  };
}

export function controlCancel(line: Fields, context: LineContext): LineEvents {
  const { request_id: requestId } = line;
  if (typeof requestId !== "string") return null;
  if (!isPending(context, requestId)) return NOTHING;
  return [
    cliEvent(context, "permission:resolved", { requestId, outcome: "withdrawn", answer: null }),
  ];
}

export function controlResponse(line: Fields, context: LineContext): ControlLine | null {
  const outer = line["response"];
  if (!isFields(outer)) return null;
  const requestId = outer["request_id"];
  if (typeof requestId !== "string") return null;
  const isOk = outer["subtype"] === "success";
  const error = isOk ? null : textOr(outer["error"], "unknown error");
  if (isEcho(requestId, outer, context)) return { events: [], reply: null, answers: [] };
  const pending = [
    ...listOf(outer["pending_permission_requests"]),
    ...listOf(outer["pending_user_dialog_requests"]),
  ].filter(isFields);
  const reply: ControlReply = {
    requestId,
    ok: isOk,
    error,
    response: isFields(outer["response"]) ? outer["response"] : null,
    pendingPrompts: pending.map((message) => JSON.stringify(message)),
  };
  const events: EventDraft[] = [];
  if (isOk && requestId === initializeId(context.runId) && isFields(outer["response"]))
    events.push(readyEvent(outer["response"], context));
  if (error !== null)
    events.push(cliNotice(context, "control_error", { level: "warning", text: error, raw: line }));
  events.push(...missedPrompts(pending, context));
  if (isOk && isReconcileId(requestId)) events.push(...lostPrompts(pending, context));
  return { events, reply, answers: [] };
}

/** With --replay-user-messages the CLI prints the host's own answers back at it. */
function isEcho(requestId: string, outer: Fields, context: LineContext): boolean {
  if (isPending(context, requestId) || isResolved(context, requestId)) return true;
  if (textOr(outer["error"], "").startsWith(UNSUPPORTED_REQUEST)) return true;
  return typeof fieldsOf(outer["response"])["behavior"] === "string";
}

/** Prompts the CLI still waits for, of which the log does not know. */
function missedPrompts(pending: readonly Fields[], context: LineContext): EventDraft[] {
  const events: EventDraft[] = [];
  for (const message of pending) {
    const prompt = promptOf(message);
    if (
      prompt === null ||
      isPending(context, prompt.requestId) ||
      isResolved(context, prompt.requestId)
    )
      continue;
    events.push(cliEvent(context, "permission:requested", prompt));
  }
  return events;
}

/** Prompts the log thinks open, of which the CLI knows nothing any more. */
function lostPrompts(pending: readonly Fields[], context: LineContext): EventDraft[] {
  const known = new Set(pending.map((message) => message["request_id"]));
  return context.state.prompts
    .filter((prompt) => prompt.runId === context.runId && !known.has(prompt.requestId))
    .map((prompt) => ({
      type: "permission:resolved",
      data: { requestId: prompt.requestId, outcome: "lost", answer: null },
      source: "recovery",
      runId: context.runId,
      inferred: true,
    }));
}

function readyEvent(response: Fields, context: LineContext): EventDraft {
  const account = isFields(response["account"]) ? response["account"] : null;
  const tokenSource = textOrNull(account?.["tokenSource"]);
  const apiKeySource = textOrNull(account?.["apiKeySource"]);
  return cliEvent(context, "run:ready", {
    complete: false,
    // The reply does not say it: it is what the run was started with.
    resumeId: context.state.run?.config.resumeId ?? "",
    model: null,
    tools: [],
    cwd: runOf(context)?.cwd ?? null,
    mcpServers: [],
    permissionMode: null,
    cliVersion: null,
    pid: numberOrNull(response["pid"]),
    account: account && { tokenSource, apiKeySource, email: textOrNull(account["email"]) },
    loggedIn: account && isLoggedIn(account),
    commands: listOf(response["commands"]).flatMap(commandOf),
    models: listOf(response["models"]).flatMap(modelOf),
  });
}

/** The CLI has nothing to show to the model's provider: neither a key nor a token. */
function isLoggedIn(account: Fields): boolean {
  const { tokenSource, apiKeySource, apiProvider } = account;
  const isElsewhere = typeof apiProvider === "string" && apiProvider !== "firstParty";
  const hasKey = typeof apiKeySource === "string" && apiKeySource !== "none";
  return isElsewhere || hasKey || (typeof tokenSource === "string" && tokenSource !== "none");
}

function commandOf(value: unknown): SlashCommand[] {
  const { name, description, argumentHint } = fieldsOf(value);
  if (typeof name !== "string") return [];
  return [{ name, description: textOr(description, ""), argumentHint: textOr(argumentHint, "") }];
}

function modelOf(offer: unknown): ModelOffer[] {
  const { value, displayName, description, supportedEffortLevels } = fieldsOf(offer);
  if (typeof value !== "string") return [];
  return [
    {
      value,
      displayName: textOr(displayName, value),
      description: textOr(description, ""),
      efforts: textsOf(supportedEffortLevels),
    },
  ];
}
