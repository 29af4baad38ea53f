/** The one line that says what a tool call is about. */
import { isBlobRef, type Text } from "@lodge/protocol";
import { previewText } from "../../ui/blob-text.ts";

/** The field of the input that says it, by tool. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  Bash: ["command"],
  Read: ["file_path"],
  Write: ["file_path"],
  Edit: ["file_path"],
  NotebookEdit: ["notebook_path"],
  Glob: ["pattern"],
  Grep: ["pattern"],
  WebFetch: ["url"],
  WebSearch: ["query"],
  Agent: ["description"],
  Task: ["description"],
  TaskCreate: ["subject"],
  TaskUpdate: ["taskId"],
  Skill: ["skill"],
};
const LENGTH = 200;

export function summariseTool(
  name: string | null,
  input: Readonly<Record<string, unknown>>,
): string {
  const fields = (name === null ? undefined : TELLING[name]) ?? Object.keys(input);
  const value = fields
    .map((field) => input[field])
    .find((candidate): candidate is Text => typeof candidate === "string" || isBlobRef(candidate));
  if (value === undefined) return "";
  const line = previewText(value).trim().split("\n", 1)[0] ?? "";
  return [...line].length > LENGTH ? `${[...line].slice(0, LENGTH).join("")}…` : line;
}
