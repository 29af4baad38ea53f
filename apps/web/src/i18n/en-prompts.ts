/** What Claude asks, and what can be answered. */
export const enPrompts = {
  "prompt.list": "Waiting for your answer",
  "prompt.announce": (n: number, what: string) =>
    n === 1
      ? `Claude asks: ${what}. Your answer is needed.`
      : `${n} answers are needed. First: ${what}.`,
  "prompt.notConnected": "Not connected: this may be answered or withdrawn already.",
  "prompt.unknown": "A prompt",
  "prompt.permission": (what: string) => `Allow ${what}?`,
  "prompt.bySubagent": "asked by a subagent",
  "prompt.waiting": (since: string) => `waiting ${since}`,
  "prompt.what": "What",
  "prompt.why": "Why it asks",
  "prompt.blockedPath": "Outside of the allowed paths",
  "prompt.directory": "In",
  "prompt.leftOut": (size: string) => `[… ${size} in all, the middle is not shown …]`,
  "prompt.notWhole": "Part of this is not shown. It can be allowed once all of it is.",
  "prompt.allow": "Allow once",
  "prompt.allowAlways": "Always allow",
  "prompt.alwaysMakes": (scope: string) =>
    scope === "" ? "Makes this rule:" : `Makes this rule, ${scope}:`,
  "prompt.deny": "Deny",
  "prompt.denyWith": "Deny with a message…",
  "prompt.denyMessage": "What should Claude do instead?",
  "prompt.back": "Back",
  "prompt.sent": "Answered.",

  "suggestion.rule": (behaviour: string, rule: string) => `${behaviour} ${rule}`,
  "suggestion.mode": (mode: string) => `permission mode ${mode}`,
  "suggestion.directory": (path: string) => `add directory ${path}`,
  "suggestion.scope.session": "for this session",

  "plan.title": "Claude has a plan",
  "plan.rest": "Everything else in the request",
  "plan.showWhole": "Show the whole plan",
  "plan.nextMode": "Then",
  "plan.modeBefore": "Mode from before the plan",
  "plan.approve": "Approve plan",
  "plan.reject": "Keep planning…",
  "plan.rejectMessage": "What should be different?",

  "question.title": "Claude has a question",
  "question.other": "Something else",
  "question.submit": "Answer",
  "question.dismiss": "Dismiss",
  "question.dismissed": "The question was dismissed without an answer.",
} as const;
