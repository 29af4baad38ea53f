import { expect, test } from "vitest";
import { completeCommand, matchCommands } from "./match-commands.ts";

const command = (name: string, description = "") => ({ name, description, argumentHint: "" });
const COMMANDS = [command("compact", "Sum up"), command("context"), command("git:commit")];
const names = (text: string, caret = text.length) =>
  matchCommands(COMMANDS, text, caret)?.map(({ name }) => name) ?? null;

test("a slash at the very beginning asks for commands, by how their name begins first", () => {
  expect(names("/")).toEqual(["compact", "context", "git:commit"]);
  expect(names("/com")).toEqual(["compact", "git:commit"]);
  expect(names("/SUM")).toEqual(["compact"]);
  expect(names("/nothing")).toEqual([]);
});

test.each(["", "say /com", " /com", "/compact now", "\n/com"])("%j asks for none", (text) => {
  expect(names(text)).toBeNull();
});

test("inside of a name nobody is asked", () => {
  expect(names("/compact", 3)).toBeNull();
});

test("choosing one keeps what was written behind it", () => {
  expect(completeCommand(command("compact"), "/com")).toBe("/compact ");
  expect(completeCommand(command("compact"), "/com the tests")).toBe("/compact the tests");
});
