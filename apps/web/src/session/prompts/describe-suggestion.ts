/** What "always allow" would change, in words: the CLI's own offers, nothing of ours. */
import type { PermissionUpdate } from "@lodge/protocol";
import { t, type TextKey } from "../../i18n/t.ts";

export type Suggestion = {
  /** One line per rule it makes. */
  readonly rules: readonly string[];
  /** How long or where it holds. */
  readonly scope: string;
};

const SCOPES: Readonly<Record<string, TextKey>> = {
  session: "suggestion.scope.session",
  // The server grants these for the session: elsewhere they take no effect in an untrusted directory.
  localSettings: "suggestion.scope.session",
  projectSettings: "suggestion.scope.session",
  userSettings: "suggestion.scope.session",
  cliArg: "suggestion.scope.session",
};

export function describeSuggestion(update: PermissionUpdate): Suggestion {
  const scopeKey = SCOPES[String(update["destination"])];
  const scope = scopeKey === undefined ? "" : t(scopeKey as "suggestion.scope.session");
  return { rules: describeRules(update), scope };
}

function describeRules(update: PermissionUpdate): readonly string[] {
  switch (update.type) {
    case "addRules": {
      const rules = Array.isArray(update["rules"]) ? (update["rules"] as readonly unknown[]) : [];
      const behaviour = typeof update["behavior"] === "string" ? update["behavior"] : "?";
      return rules.map((rule) => t("suggestion.rule", behaviour, formatRule(rule)));
    }
    case "setMode": {
      const mode = String(update["mode"]);
      return [t("suggestion.mode", mode)];
    }
    case "addDirectories": {
      const directories = Array.isArray(update["directories"]) ? update["directories"] : [];
      return directories.map((directory) => t("suggestion.directory", String(directory)));
    }
    default:
      // One this version does not know is shown as it came, or not offered in good faith.
      return [JSON.stringify(update)];
  }
}

function formatRule(rule: unknown): string {
  if (typeof rule !== "object" || rule === null) return JSON.stringify(rule);
  const { toolName, ruleContent } = rule as {
    readonly toolName?: unknown;
    readonly ruleContent?: unknown;
  };
  const content = typeof ruleContent === "string" && ruleContent !== "" ? `(${ruleContent})` : "";
  return `${String(toolName)}${content}`;
}
