/** The one line that says what a tool call is about. */
import { parseMcpTool, type Text } from "@lodge/protocol";
import { shortenPath } from "../../../ui/format.ts";
import { t } from "../../../i18n/t.ts";
import type { ToolRow } from "../row.ts";
import { fieldsOf, listOf, stringOf, textOf, type Fields } from "./fields.ts";

/** The field of the input that says it, by tool. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  Bash: ["command"],
  Glob: ["pattern"],
  Grep: ["pattern"],
  WebFetch: ["url"],
  WebSearch: ["query"],
  Agent: ["description"],
  Task: ["description"],
  TaskCreate: ["subject"],
  Skill: ["skill", "command"],
  ToolSearch: ["query"],
  CronCreate: ["cron", "prompt"],
  ScheduleWakeup: ["reason", "prompt"],
  TaskOutput: ["task_id"],
  TaskStop: ["task_id"],
};
const PATHS: Readonly<Record<string, string>> = {
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
  LS: "path",
};
const LENGTH = 200;

/** Those whose own name is a word of the machine. */
const NAMED = [
  "Agent",
  "Task",
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "TaskCreate",
  "TaskUpdate",
  "TaskList",
  "TodoWrite",
] as const;
const isNamed = (name: string): name is (typeof NAMED)[number] =>
  (NAMED as readonly string[]).includes(name);

/** What a tool is called on the page. */
export function nameTool(name: string | null): string {
  if (name === null) return t("tool.unknown");
  if (isNamed(name)) return t(`tool.name.${name}`);
  const mcp = parseMcpTool(name);
  return mcp === null ? name : `${mcp.server} · ${mcp.tool}`;
}

/** A path as it is called in the session's own directory; others by their end. */
export function namePath(path: string, cwd: string | null): string {
  if (cwd !== null && path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1);
  return shortenPath(path);
}

export function summariseTool(
  row: Pick<ToolRow, "name" | "input" | "todos">,
  cwd: string | null = null,
): string {
  const { name, input, todos } = row;
  const path = name === null ? undefined : PATHS[name];
  if (path !== undefined) return namePath(stringOf(input[path]) ?? "", cwd);
  if (name === "TaskUpdate") return summariseUpdate(input, todos);
  if (name === "ExitPlanMode" || name === "EnterPlanMode" || name === "TaskList") return "";
  if (name === "AskUserQuestion")
    return firstLine(fieldsOf(listOf(input["questions"])[0])["question"]);
  if (name === "TodoWrite") return t("todo.count", listOf(input["todos"]).length);
  const fields = (name === null ? undefined : TELLING[name]) ?? Object.keys(input);
  const value = fields
    .map((field) => textOf(input[field]))
    .find((candidate): candidate is Text => candidate !== null);
  return firstLine(value);
}

function summariseUpdate(input: Fields, todos: ToolRow["todos"]): string {
  const { taskId } = input;
  const id = typeof taskId === "number" ? String(taskId) : (stringOf(taskId) ?? "");
  const item = todos?.find((todo) => todo.id === id);
  const status = stringOf(input["status"]);
  const subject = item?.subject ?? `#${id}`;
  return status === null ? subject : t("todo.set", subject, describeTodoStatus(status));
}

export function describeTodoStatus(status: string): string {
  switch (status) {
    case "pending":
    case "in_progress":
    case "completed":
    case "deleted":
      return t(`todo.${status}`);
    default:
      return status;
  }
}

function firstLine(value: unknown): string {
  const line = (stringOf(value) ?? "").trim().split("\n", 1)[0] ?? "";
  const characters = [...line.slice(0, LENGTH * 2)];
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH).join("")}…` : line;
}
