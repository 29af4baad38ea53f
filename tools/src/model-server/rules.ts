/**
 * Which script answers a request: a rule whose `when` matches, else the CLI's own housekeeping, else the script
 * that the prompt itself carries, else the fallback. No session state is kept, so a resumed session, a subagent
 * (whose prompt carries a script of its own) and parallel sessions all just work.
 */
import type { ModelRequest } from "./request.ts";

export interface Rule {
  /** Patterns are regular expressions with the dot matching newlines; all that are given must match. */
  readonly when?: {
    readonly text?: string;
    readonly system?: string;
    readonly model?: string;
    readonly tool_result?: string;
    /** Whether the request offers tools at all, and one that it must offer. */
    readonly tools?: boolean;
    readonly tool?: string;
    readonly stream?: boolean;
  };
  readonly reply: string | readonly string[];
  readonly once?: boolean;
}

export interface Choice {
  readonly script: string;
  readonly step: number;
}

/** Side requests of the CLI. Their prompts quote the conversation, so scripts in it must not be seen. */
const HOUSEKEEPING: readonly Rule[] = [
  { when: { tools: false, text: "^<session>" }, reply: '@text {"title":"Fake title"}' },
  { when: { tools: false, text: "<transcript>.*<.transcript>" }, reply: "@text <block>no</block>" },
  {
    when: { text: "Your task is to create a detailed summary of (the|this) conversation" },
    reply: "@text <analysis>Short.</analysis>\\n<summary>A fake summary.</summary>",
  },
];

export interface RuleBook {
  choose(request: ModelRequest): Choice;
  replace(rules: readonly Rule[]): void;
  rules(): readonly Rule[];
}

export function createRuleBook(initial: readonly Rule[], fallback: readonly Rule[]): RuleBook {
  let rules = initial;
  const used = new Set<Rule>();

  return {
    choose(request) {
      const first = (among: readonly Rule[]): Choice | undefined => {
        const rule = among.find(
          (one) => !(one.once === true && used.has(one)) && matches(one, request),
        );
        if (rule === undefined) return undefined;
        used.add(rule);
        const script = typeof rule.reply === "string" ? rule.reply : rule.reply.join("\n");
        return { script, step: request.promptStep };
      };
      const chosen = first([...rules, ...HOUSEKEEPING]);
      if (chosen !== undefined) return chosen;
      if (request.script !== "") return { script: request.script, step: request.scriptStep };
      return first(fallback) ?? echo(request);
    },
    replace(next) {
      rules = next;
      used.clear();
    },
    rules: () => rules,
  };
}

/** Rules as they come from a file or over HTTP: an array, or an object that holds one. */
export function parseRules(text: string): Rule[] {
  const parsed: unknown = JSON.parse(text);
  const list =
    typeof parsed === "object" && parsed !== null && "rules" in parsed ? parsed.rules : parsed;
  if (!Array.isArray(list))
    throw new Error("rules are a JSON array, or an object with one under `rules`");
  return list as Rule[];
}

function matches({ when = {} }: Rule, request: ModelRequest): boolean {
  const has = (pattern: string | undefined, value: string): boolean =>
    pattern === undefined || new RegExp(pattern, "s").test(value);
  return (
    has(when.text, request.prompt) &&
    has(when.system, request.system) &&
    has(when.model, request.model) &&
    has(when.tool_result, request.toolResult) &&
    (when.tools === undefined || when.tools === request.tools.length > 0) &&
    (when.tool === undefined || request.tools.includes(when.tool)) &&
    (when.stream === undefined || when.stream === request.stream)
  );
}

function echo(request: ModelRequest): Choice {
  const line = request.prompt.split("\n")[0]?.slice(0, 200) || "(nothing)";
  return { script: `@text Echo: ${line.replaceAll("\\", "\\\\")}`, step: 0 };
}
