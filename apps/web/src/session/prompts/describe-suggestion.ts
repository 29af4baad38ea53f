/** What "always allow" would change, in words: the CLI's own offers, nothing of ours. */
import { isPermissionMode, type PermissionUpdate } from "@lodge/protocol";
import { t, type TextKey } from "../../i18n/t.ts";

export type Suggestion = {
  /** One line per rule it makes. */
  readonly rules: readonly string[];
  /** How long or where it holds. */
  readonly scope: string;
  /** The same in plain words, where there are any. */
  readonly meaning: string | null;
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
  return { rules: describeRules(update), scope, meaning: explain(update) };
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

/** Of the forms that rules commonly have; others speak for themselves. */
function explain(update: PermissionUpdate): string | null {
  if (update.type === "setMode") {
    const mode = update["mode"];
    return isPermissionMode(mode) ? t(`mode.hint.${mode}`) : null;
  }
  if (update.type === "addDirectories") return t("suggestion.meansDirectory");
  const rules = Array.isArray(update["rules"]) ? (update["rules"] as readonly unknown[]) : [];
  if (update.type !== "addRules" || update["behavior"] !== "allow" || rules.length !== 1)
    return null;
  const { toolName, ruleContent } = (rules[0] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof toolName !== "string") return null;
  if (typeof ruleContent !== "string" || ruleContent === "")
    return t("suggestion.meansTool", toolName);
  if (toolName !== "Bash" || ruleContent.slice(0, -2).includes("*")) return null;
  return ruleContent.endsWith(":*")
    ? t("suggestion.meansPrefix", ruleContent.slice(0, -2))
    : ruleContent.endsWith("*")
      ? null
      : t("suggestion.meansCommand");
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
