/**
 * Tools under way, and what two families of them leave behind: the todo list (TaskCreate,
 * TaskUpdate) and scheduled wakeups (CronCreate, CronDelete, ScheduleWakeup). Both are read from
 * the call's input once its result says that it worked.
 */
import { clipStart } from "../clip.ts";
import type { ContentBlock, EventOfType, ToolResultBlock } from "../event.ts";
import { fieldsOf } from "../fields.ts";
import type { OpenTool, TodoItem, Wakeup } from "../state.ts";
import { appendBounded, type Draft } from "./draft.ts";
import { isRunningInBackground } from "./tasks.ts";

const KEEP_TOOLS = 64;
const KEEP_TODOS = 200;
const KEEP_WAKEUPS = 64;
const FIELD_UNITS = 500;

/** The fields that are read again when the result comes, by tool. */
const REMEMBERED: Readonly<Record<string, readonly string[]>> = {
  Bash: ["run_in_background"],
  Agent: ["run_in_background"],
  Task: ["run_in_background"],
  TaskCreate: ["subject", "activeForm"],
  TaskUpdate: ["taskId", "subject", "activeForm", "status"],
  CronCreate: ["cron", "recurring"],
  CronDelete: ["id"],
  ScheduleWakeup: ["delaySeconds"],
};

type Remembered = Readonly<Record<string, string | number | boolean>>;

function remember(name: string, input: Readonly<Record<string, unknown>>): Remembered | undefined {
  const names = Object.hasOwn(REMEMBERED, name) ? REMEMBERED[name] : undefined;
  if (names === undefined) return undefined;
  const kept: Record<string, string | number | boolean> = {};
  for (const field of names) {
    const value = input[field];
    if (typeof value === "string") kept[field] = clipStart(value, FIELD_UNITS);
    else if (typeof value === "number" || typeof value === "boolean") kept[field] = value;
  }
  return kept;
}

export function openTool(
  draft: Draft,
  block: Extract<ContentBlock, { type: "tool_use" }>,
  event: EventOfType<"content">,
): void {
  if (draft.openTools.some((tool) => tool.toolUseId === block.id)) return;
  const input = remember(block.name, block.input);
  const tool: OpenTool = {
    toolUseId: block.id,
    name: block.name,
    startedAt: event.at,
    parentToolUseId: event.data.parentToolUseId,
    ...(input !== undefined && { input }),
  };
  draft.openTools = appendBounded(draft.openTools, tool, KEEP_TOOLS);
}

export function closeTools(draft: Draft, event: EventOfType<"result">): void {
  for (const block of event.data.blocks) {
    const tool = draft.openTools.find((open) => open.toolUseId === block.toolUseId);
    if (tool === undefined) continue;
    draft.openTools = draft.openTools.filter((open) => open !== tool);
    if (tool.input !== undefined && !block.isError)
      applyResult(draft, tool, block, event.data.detail);
  }
}

/** At the end of a turn only the tools of background tasks go on. */
export function endTurnTools(draft: Draft): void {
  if (draft.openTools.length === 0) return;
  draft.openTools = draft.openTools.filter(
    (tool) =>
      tool.parentToolUseId !== null &&
      draft.tasks.some(
        (task) => isRunningInBackground(task) && task.toolUseId === tool.parentToolUseId,
      ),
  );
}

function applyResult(draft: Draft, tool: OpenTool, block: ToolResultBlock, detail: unknown): void {
  const input = tool.input ?? {};
  switch (tool.name) {
    case "TaskCreate":
      createTodo(draft, input, block, detail);
      break;
    case "TaskUpdate":
      updateTodo(draft, input, detail);
      break;
    case "CronCreate":
      addWakeup(draft, {
        id: idOf(fieldsOf(detail)["id"]),
        toolUseId: tool.toolUseId,
        kind: "cron",
        when: textOf(input["cron"]) ?? "",
        recurring: input["recurring"] !== false,
      });
      break;
    case "CronDelete":
      draft.wakeups = draft.wakeups.filter(
        (wakeup) => wakeup.id === null || wakeup.id !== input["id"],
      );
      break;
    case "ScheduleWakeup":
      addScheduledWakeup(draft, tool, detail);
      break;
    default:
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const idOf = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : null;

function createTodo(
  draft: Draft,
  input: Remembered,
  block: ToolResultBlock,
  detail: unknown,
): void {
  const said =
    typeof block.content === "string" ? /^Task #(\S+) created/.exec(block.content)?.[1] : undefined;
  const id = idOf(fieldsOf(fieldsOf(detail)["task"])["id"]) ?? said;
  if (id === undefined || draft.todos.some((todo) => todo.id === id)) return;
  const todo: TodoItem = {
    id,
    subject: textOf(input["subject"]) ?? "",
    activeForm: textOf(input["activeForm"]),
    status: "pending",
  };
  const todos = [...draft.todos, todo];
  // Over the bound the oldest finished one goes first.
  if (todos.length > KEEP_TODOS)
    todos.splice(
      Math.max(
        0,
        todos.findIndex((old) => old.status === "completed"),
      ),
      1,
    );
  draft.todos = todos;
}

function updateTodo(draft: Draft, input: Remembered, detail: unknown): void {
  if (fieldsOf(detail)["success"] === false) return;
  const id = idOf(input["taskId"]);
  const status = textOf(input["status"]);
  if (status === "deleted") {
    draft.todos = draft.todos.filter((todo) => todo.id !== id);
    return;
  }
  draft.todos = draft.todos.map((todo) =>
    todo.id === id
      ? {
          ...todo,
          status: status ?? todo.status,
          subject: textOf(input["subject"]) ?? todo.subject,
          activeForm: textOf(input["activeForm"]) ?? todo.activeForm,
        }
      : todo,
  );
}

function addWakeup(draft: Draft, wakeup: Wakeup): void {
  draft.wakeups = appendBounded(draft.wakeups, wakeup, KEEP_WAKEUPS);
}

function addScheduledWakeup(draft: Draft, tool: OpenTool, detail: unknown): void {
  const { scheduledFor } = fieldsOf(detail) as { scheduledFor?: unknown };
  // Outside a loop the CLI refuses by a moment of 0.
  if (scheduledFor === 0 || scheduledFor === null) return;
  // There is one such wakeup at a time: a new one replaces it.
  draft.wakeups = draft.wakeups.filter((wakeup) => wakeup.kind !== "wakeup");
  const delay = tool.input?.["delaySeconds"];
  addWakeup(draft, {
    id: null,
    toolUseId: tool.toolUseId,
    kind: "wakeup",
    when: delay === undefined ? "" : `${delay}s`,
    recurring: false,
  });
}

/** A turn that nobody asked for: the oldest wakeup that fires once has fired. */
export function fireWakeup(draft: Draft): void {
  const fired = draft.wakeups.find((wakeup) => !wakeup.recurring);
  if (fired !== undefined) draft.wakeups = draft.wakeups.filter((wakeup) => wakeup !== fired);
}
