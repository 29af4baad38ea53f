/** What kind of thing a tool is: for its icon, its verb and how its call is shown. */

export type ToolKind =
  | "read"
  | "edit"
  | "command"
  | "search"
  | "web"
  | "agent"
  | "plan"
  | "question"
  | "todo"
  | "schedule"
  | "task"
  | "mcp"
  | "other";

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  NotebookRead: "read",
  ListMcpResourcesTool: "read",
  ReadMcpResourceTool: "read",
  Write: "edit",
  Edit: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Bash: "command",
  Monitor: "command",
  Glob: "search",
  Grep: "search",
  LS: "search",
  ToolSearch: "search",
  WebFetch: "web",
  WebSearch: "web",
  // The CLI lists it as Task and calls it Agent.
  Agent: "agent",
  Task: "agent",
  SendMessage: "agent",
  EnterPlanMode: "plan",
  ExitPlanMode: "plan",
  AskUserQuestion: "question",
  TaskCreate: "todo",
  TaskUpdate: "todo",
  TaskList: "todo",
  TaskGet: "todo",
  TodoWrite: "todo",
  CronCreate: "schedule",
  CronDelete: "schedule",
  CronList: "schedule",
  ScheduleWakeup: "schedule",
  TaskOutput: "task",
  TaskStop: "task",
  BashOutput: "task",
  KillShell: "task",
};

export function classifyTool(name: string): ToolKind {
  if (Object.hasOwn(KINDS, name)) return KINDS[name] ?? "other";
  return parseMcpTool(name) === null ? "other" : "mcp";
}

/** `mcp__server__tool`; null: not a tool of an MCP server. */
export function parseMcpTool(
  name: string,
): { readonly server: string; readonly tool: string } | null {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? null : { server, tool };
}
