/** `system`: what the CLI says about itself, by subtype. */
import type { EventDraft, McpServerStatus, NoticeLevel, SlashCommand } from "../event.ts";
import {
  type Fields,
  fieldsOf,
  listOf,
  numberOrNull,
  textOr,
  textOrNull,
  textsOf,
} from "../fields.ts";
import { permissionModeOrNull } from "../permission-modes.ts";
import { cliEvent, cliNotice, type LineContext, type LineEvents, NOTHING, runOf } from "./draft.ts";
import {
  taskNotificationLine,
  taskProgressLine,
  taskStartedLine,
  taskUpdatedLine,
} from "./task.ts";

type Handler = (line: Fields, context: LineContext) => LineEvents;

const HANDLERS: Readonly<Record<string, Handler>> = {
  init,
  status,
  api_retry: apiRetry,
  compact_boundary: compactBoundary,
  hook_started: hook,
  hook_response: hook,
  informational,
  model_fallback: modelFallback,
  model_refusal_fallback: modelFallback,
  model_refusal_no_fallback: modelFallback,
  permission_denied: permissionDenied,
  task_started: taskStartedLine,
  task_progress: taskProgressLine,
  task_updated: taskUpdatedLine,
  task_notification: taskNotificationLine,
  // Said far too often, and nothing that the log does not say otherwise.
  thinking_tokens: () => NOTHING,
  session_state_changed: () => NOTHING,
};

export function systemLine(line: Fields, context: LineContext): LineEvents {
  const { subtype } = line;
  if (typeof subtype !== "string" || !Object.hasOwn(HANDLERS, subtype)) return null;
  return HANDLERS[subtype]?.(line, context) ?? null;
}

/** Every turn begins with it; the first of a run also completes what is known about the process. */
function init(line: Fields, context: LineContext): LineEvents {
  const resumeId = line["session_id"];
  if (typeof resumeId !== "string") return null;
  const model = textOrNull(line["model"]);
  const permissionMode = permissionModeOrNull(line["permissionMode"]);
  const turn = cliEvent(context, "turn:start", { resumeId, model, permissionMode });
  if (runOf(context)?.initSeen === true) return [turn];
  const mcpServers = listOf(line["mcp_servers"]).map((server): McpServerStatus => {
    const { name, status: state } = fieldsOf(server);
    return { name: textOr(name, "?"), status: textOr(state, "unknown") };
  });
  const ready = cliEvent(context, "run:ready", {
    complete: true,
    resumeId,
    model,
    tools: textsOf(line["tools"]),
    cwd: textOrNull(line["cwd"]),
    mcpServers,
    permissionMode,
    cliVersion: textOrNull(line["claude_code_version"]),
    pid: null,
    account: null,
    loggedIn: null,
    commands: textsOf(line["slash_commands"]).map((name): SlashCommand => ({
      name,
      description: "",
      argumentHint: "",
    })),
    models: [],
  });
  return [ready, turn, ...mcpServers.flatMap((server) => mcpProblem(server, context))];
}

function mcpProblem(
  { name, status: state }: McpServerStatus,
  context: LineContext,
): readonly EventDraft[] {
  if (state === "failed")
    return [
      cliNotice(context, "mcp_failed", {
        level: "warning",
        text: `The MCP server ${name} failed to start.`,
      }),
    ];
  if (state === "needs-auth")
    return [
      cliNotice(context, "mcp_failed", {
        level: "warning",
        text: `The MCP server ${name} needs a sign-in.`,
      }),
    ];
  return [];
}

function status(line: Fields, context: LineContext): LineEvents {
  const events: EventDraft[] = [];
  const { permissionMode: mode, compact_result: compactResult } = line;
  if (line["status"] === "compacting")
    events.push(cliNotice(context, "compacting", { text: "The conversation is being compacted." }));
  if (typeof compactResult === "string" && compactResult !== "success")
    events.push(
      cliNotice(context, "compact_failed", {
        level: "warning",
        text: textOr(line["compact_error"], `Compaction: ${compactResult}`),
        raw: line,
      }),
    );
  const permissionMode = permissionModeOrNull(mode);
  if (permissionMode !== null && permissionMode !== context.state.config.permissionMode)
    events.push(cliEvent(context, "config:changed", { permissionMode }));
  if (typeof mode === "string" && permissionMode === null)
    events.push(
      cliNotice(context, "drift", {
        level: "warning",
        text: `The CLI is in a mode Lodge does not know: ${mode}`,
      }),
    );
  return events;
}

function apiRetry(line: Fields, context: LineContext): LineEvents {
  const httpStatus = numberOrNull(line["error_status"]);
  const delayMs = numberOrNull(line["retry_delay_ms"]);
  const error = textOrNull(line["error"]);
  const isOverload = httpStatus === 529 || error === "overloaded";
  const isRateLimit = httpStatus === 429;
  return [
    cliEvent(context, "limit", {
      kind: isOverload ? "overload" : isRateLimit ? "rate_limit" : "retry",
      status: httpStatus,
      error,
      attempt: numberOrNull(line["attempt"]),
      maxAttempts: numberOrNull(line["max_retries"]),
      endsAt: null,
      ...(delayMs !== null && { delayMs }),
    }),
  ];
}

function compactBoundary(line: Fields, context: LineContext): LineEvents {
  const metadata = fieldsOf(line["compact_metadata"]);
  const [before, after] = [
    numberOrNull(metadata["pre_tokens"]),
    numberOrNull(metadata["post_tokens"]),
  ];
  const sizes = before !== null && after !== null ? ` from ${before} to ${after} tokens` : "";
  return [
    cliNotice(context, "compacted", {
      text: `The conversation was compacted${sizes}.`,
      raw: line["compact_metadata"],
    }),
  ];
}

function hook(line: Fields, context: LineContext): LineEvents {
  const name = textOr(line["hook_name"], "?");
  if (line["subtype"] === "hook_started")
    return [cliNotice(context, "hook", { text: `Hook ${name} started.`, raw: line })];
  const outcome = textOr(line["outcome"], "unknown");
  const output = textOr(line["output"], "").trim();
  return [
    cliNotice(context, "hook", {
      level: outcome === "success" ? "info" : "warning",
      text: `Hook ${name}: ${outcome}${output === "" ? "" : `\n${output}`}`,
      raw: line,
    }),
  ];
}

const levelOf = (value: unknown): NoticeLevel =>
  value === "warning" || value === "error" ? value : "info";

function informational(line: Fields, context: LineContext): LineEvents {
  return [
    cliNotice(context, "informational", {
      level: levelOf(line["level"]),
      text: textOr(line["content"], ""),
      raw: line,
    }),
  ];
}

function modelFallback(line: Fields, context: LineContext): LineEvents {
  const [from, to] = [
    textOr(line["original_model"], "the model"),
    textOrNull(line["fallback_model"]),
  ];
  const said = textOr(line["content"], "");
  const text = to === null ? `${from} refused the message.` : `${to} answers instead of ${from}.`;
  return [
    cliNotice(context, "model_fallback", { level: "warning", text: said || text, raw: line }),
  ];
}

function permissionDenied(line: Fields, context: LineContext): LineEvents {
  return [
    cliNotice(context, "permission_denied", {
      level: "warning",
      text: textOr(line["message"], `${textOr(line["tool_name"], "A tool")} was not allowed.`),
      toolUseId: textOrNull(line["tool_use_id"]),
      raw: line,
    }),
  ];
}
