/** Task lines: what the CLI runs beside its turn. */
import { type Fields, fieldsOf, numberOrNull, textOr, textOrNull } from "../fields.ts";
import { cliEvent, type LineContext, type LineEvents } from "./draft.ts";

export function taskStartedLine(line: Fields, context: LineContext): LineEvents {
  const { task_id: taskId, subagent_type: subagentType } = line;
  if (typeof taskId !== "string") return null;
  return [
    cliEvent(context, "task:started", {
      taskId,
      taskType: textOr(line["task_type"], "unknown"),
      toolUseId: textOrNull(line["tool_use_id"]),
      description: textOr(line["description"], ""),
      ...(typeof subagentType === "string" && { subagentType }),
    }),
  ];
}

export function taskProgressLine(line: Fields, context: LineContext): LineEvents {
  const { task_id: taskId, last_tool_name: lastToolName } = line;
  if (typeof taskId !== "string") return null;
  const usage = fieldsOf(line["usage"]);
  const totalTokens = numberOrNull(usage["total_tokens"]);
  const toolUses = numberOrNull(usage["tool_uses"]);
  return [
    cliEvent(context, "task:updated", {
      taskId,
      ...(typeof lastToolName === "string" && { lastToolName }),
      ...(totalTokens !== null && { totalTokens }),
      ...(toolUses !== null && { toolUses }),
    }),
  ];
}

export function taskUpdatedLine(line: Fields, context: LineContext): LineEvents {
  const { task_id: taskId } = line;
  if (typeof taskId !== "string") return null;
  const { status, is_backgrounded: backgrounded, description } = fieldsOf(line["patch"]);
  return [
    cliEvent(context, "task:updated", {
      taskId,
      ...(typeof status === "string" && { status }),
      ...(typeof backgrounded === "boolean" && { backgrounded }),
      ...(typeof description === "string" && { description }),
    }),
  ];
}

export function taskNotificationLine(line: Fields, context: LineContext): LineEvents {
  const { task_id: taskId } = line;
  if (typeof taskId !== "string") return null;
  const outputFile = textOr(line["output_file"], "");
  return [
    cliEvent(context, "task:notification", {
      taskId,
      toolUseId: textOrNull(line["tool_use_id"]),
      status: textOr(line["status"], "completed"),
      summary: textOr(line["summary"], ""),
      outputFile: outputFile === "" ? null : outputFile,
    }),
  ];
}

/** A sign of life of a long tool, where the CLI is told to send them. */
export function toolProgressLine(line: Fields, context: LineContext): LineEvents {
  const { task_id: taskId, tool_name: lastToolName } = line;
  if (typeof taskId !== "string" || typeof lastToolName !== "string") return null;
  return [cliEvent(context, "task:updated", { taskId, lastToolName })];
}
