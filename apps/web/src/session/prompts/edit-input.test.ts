import { expect, test } from "vitest";
import { editFields, readEdited } from "./edit-input.ts";

const input = { command: "ls", timeout: 5, background: false, env: { A: ["b"] } };
const edit = (name: string, text: string) =>
  readEdited(
    input,
    editFields(input).map((field) => (field.name === name ? { ...field, text } : field)),
  );

test("what was not touched comes back as it was, with its types", () => {
  expect(readEdited(input, editFields(input))).toEqual({ kind: "ready", input, isChanged: false });
});

test.each([
  ["command", "ls -l", { ...input, command: "ls -l" }],
  ["timeout", "7", { ...input, timeout: 7 }],
  ["background", "true", { ...input, background: true }],
  ["env", '{"A":[]}', { ...input, env: { A: [] } }],
])("%s can be changed", (name, text, changed) => {
  expect(edit(name, text)).toEqual({ kind: "ready", input: changed, isChanged: true });
});

test.each([
  ["timeout", "soon"],
  ["timeout", ""],
  ["env", "{A: 1}"],
])("%s as %s is told, and nothing can be allowed", (name, text) => {
  const result = edit(name, text);
  expect(result.kind === "wrong" && Object.keys(result.faults)).toEqual([name]);
});
