import { expect, test } from "vitest";
import { describeSuggestion } from "./describe-suggestion.ts";

const rule = (ruleContent?: string, toolName = "Bash") =>
  describeSuggestion({
    type: "addRules",
    behavior: "allow",
    destination: "localSettings",
    rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }],
  });

test.each([
  ["npm test:*", "Every command that begins with “npm test”."],
  ["npm test", "Exactly this command."],
  ["git *", null],
  ["a * b:*", null],
])("Bash(%s) means: %s", (content, meaning) => {
  expect(rule(content).meaning).toBe(meaning);
});

test("a rule without content is for every use, other tools' contents speak for themselves", () => {
  expect(rule(undefined, "WebSearch").meaning).toContain("Every use of WebSearch");
  expect(rule("/src/**", "Read").meaning).toBeNull();
  expect(rule("/src/**", "Read").rules).toEqual(["allow Read(/src/**)"]);
});
