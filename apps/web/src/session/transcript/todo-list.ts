/** The task list as the calls leave it: each call that changes it shows what it came to. */
import type { TodoItem, ToolResult, ToolRow } from "./row.ts";

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const idOf = (value: unknown): string | null =>
  typeof value === "number" ? String(value) : textOf(value);

export class TodoList {
  #items: readonly TodoItem[] = [];

  /** null: this call has nothing to do with the list, or did not work. */
  apply(row: ToolRow, result: ToolResult): readonly TodoItem[] | null {
    if (result.isError) return null;
    const next = this.#next(row, result);
    if (next !== null) this.#items = next;
    return next;
  }

  #next({ name, input }: ToolRow, { content, detail }: ToolResult): readonly TodoItem[] | null {
    switch (name) {
      case "TodoWrite":
        return listOf(input["todos"]);
      case "TaskList":
        return listOf(fieldsOf(detail)["tasks"]);
      case "TaskCreate": {
        const said = typeof content === "string" ? /^Task #(\S+) created/.exec(content)?.[1] : null;
        const id = idOf(fieldsOf(fieldsOf(detail)["task"])["id"]) ?? said ?? null;
        if (id === null) return null;
        const item = { id, subject: textOf(input["subject"]) ?? "", status: "pending" };
        return [...this.#items.filter((old) => old.id !== id), item];
      }
      case "TaskUpdate":
        return this.#update(input);
      default:
        return null;
    }
  }

  #update(input: Readonly<Record<string, unknown>>): readonly TodoItem[] | null {
    const id = idOf(input["taskId"]);
    const status = textOf(input["status"]);
    if (id === null) return null;
    if (status === "deleted") return this.#items.filter((item) => item.id !== id);
    const subject = textOf(input["subject"]);
    // One that was made before what is loaded is at least there.
    const old = this.#items.find((item) => item.id === id) ?? {
      id,
      subject: `#${id}`,
      status: "pending",
    };
    const item = { ...old, subject: subject ?? old.subject, status: status ?? old.status };
    return this.#items.some((other) => other.id === id)
      ? this.#items.map((other) => (other.id === id ? item : other))
      : [...this.#items, item];
  }
}

function listOf(value: unknown): readonly TodoItem[] | null {
  if (!Array.isArray(value)) return null;
  return value.map((item: unknown, index) => {
    const { id, subject, content, status } = fieldsOf(item);
    return {
      id: idOf(id) ?? String(index + 1),
      subject: textOf(subject) ?? textOf(content) ?? "",
      status: textOf(status) ?? "pending",
    };
  });
}
