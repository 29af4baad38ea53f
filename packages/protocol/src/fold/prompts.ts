/**
 * Prompts: the CLI waits for a person. Side by side, keyed by run and request, closed only by their
 * own permission:resolved or by the end of their run. [P1] Plans are prompts with an outcome.
 */
import { clipStart } from "../clip.ts";
import type { BlobRef } from "../event.ts";
import type { PlanOutcome, PromptState, ResolvedPrompt } from "../state.ts";
import { KEEP_CLOSED } from "../state.ts";
import { appendBounded, type Draft, isOfLiveRun, type Step } from "./draft.ts";

const PLAN_HEAD_UNITS = 500;

const isBlobRef = (value: unknown): value is BlobRef =>
  typeof value === "object" && value !== null && "$blob" in value;

function planOf(input: Readonly<Record<string, unknown>>): string | BlobRef | null {
  const plan = input["plan"];
  return typeof plan === "string" || isBlobRef(plan) ? plan : null;
}

export const permissionRequested: Step<"permission:requested"> = (draft, event) => {
  if (!isOfLiveRun(draft, event) || event.runId === null) return;
  const { data, runId } = event;
  const isKnown =
    draft.prompts.some((prompt) => prompt.requestId === data.requestId && prompt.runId === runId) ||
    draft.resolved.some((prompt) => prompt.requestId === data.requestId && prompt.runId === runId);
  if (isKnown) return;
  const prompt: PromptState = {
    requestId: data.requestId,
    runId,
    seq: event.seq,
    at: event.at,
    kind: data.kind,
    toolName: data.toolName,
    displayName: data.displayName,
    input: data.input,
    suggestions: data.suggestions,
    title: data.title,
    description: data.description,
    blockedPath: data.blockedPath,
    reason: data.reason,
    toolUseId: data.toolUseId,
    agentId: data.agentId,
  };
  draft.prompts = [...draft.prompts, prompt];
  if (data.kind === "plan")
    draft.plans = appendBounded(
      draft.plans,
      { requestId: data.requestId, outcome: "pending", plan: planOf(data.input), seq: event.seq },
      KEEP_CLOSED,
    );
};

const PLAN_OUTCOME: Record<ResolvedPrompt["outcome"], PlanOutcome["outcome"]> = {
  allowed: "approved",
  denied: "rejected",
  withdrawn: "lost",
  lost: "lost",
  expired: "lost",
};

function close(
  draft: Draft,
  prompt: PromptState,
  resolution: Pick<ResolvedPrompt, "outcome" | "seq" | "by">,
): void {
  draft.prompts = draft.prompts.filter((other) => other !== prompt);
  draft.resolved = appendBounded(
    draft.resolved,
    { requestId: prompt.requestId, runId: prompt.runId, ...resolution },
    KEEP_CLOSED,
  );
  if (prompt.kind !== "plan") return;
  draft.plans = draft.plans.map((plan) =>
    plan.seq === prompt.seq
      ? {
          ...plan,
          outcome: PLAN_OUTCOME[resolution.outcome],
          plan: typeof plan.plan === "string" ? clipStart(plan.plan, PLAN_HEAD_UNITS) : plan.plan,
        }
      : plan,
  );
}

export const permissionResolved: Step<"permission:resolved"> = (draft, event) => {
  const prompt = draft.prompts.find(
    (open) => open.requestId === event.data.requestId && open.runId === event.runId,
  );
  if (prompt === undefined) return;
  close(draft, prompt, { outcome: event.data.outcome, seq: event.seq, by: event.by });
};

/** Nobody is left to answer to. [P4] */
export function losePrompts(draft: Draft, seq: number): void {
  for (const prompt of draft.prompts) close(draft, prompt, { outcome: "lost", seq, by: null });
}
