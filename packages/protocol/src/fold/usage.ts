/** Tokens, cost and how full the context is. */
import type { EventOfType, ModelUsage, TokenUsage } from "../event.ts";
import type { UsageState } from "../state.ts";
import type { Draft } from "./draft.ts";

const NO_TOKENS: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};
export const NO_USAGE: UsageState = {
  total: NO_TOKENS,
  costUsd: 0,
  contextTokens: 0,
  contextWindow: null,
  lastTurn: null,
  lastTurnMs: null,
};

const add = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
});
const sum = (usage: TokenUsage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheCreationTokens;

/** Sums of differences drift in the last binary digits; nothing costs less than this. */
const roundUsd = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** The same model with and without its window suffix: `claude-x[1m]` serves as `claude-x`. */
const baseModel = (model: string): string => model.replace(/\[[^\]]*\]$/, "");

/** The window of the model that answers: the one the turn was started with, if that is it. [U3] */
function windowOf(
  usages: Readonly<Record<string, ModelUsage>>,
  serving: string | null,
  started: string | null,
): number | null {
  if (serving === null) return null;
  const base = baseModel(serving);
  const names = Object.keys(usages).filter((name) => baseModel(name) === base);
  const name =
    names.find((known) => known === started) ??
    names.find((known) => known === serving) ??
    names[0];
  return name === undefined ? null : (usages[name]?.contextWindow ?? null);
}

/** A top-level call: what it read and wrote is what the context holds now. */
export function measureContext(draft: Draft, event: EventOfType<"content">): void {
  const { usage, parentToolUseId, synthetic, model } = event.data;
  if (parentToolUseId !== null || synthetic === true) return;
  if (model !== null && model !== draft.servingModel) draft.servingModel = model;
  if (usage === null) return;
  const contextTokens = sum(usage);
  if (contextTokens !== draft.usage.contextTokens) draft.usage = { ...draft.usage, contextTokens };
}

/** After a compaction nobody knows how full it is until the next call. [U4] */
export function resetContext(draft: Draft): void {
  draft.usage = { ...draft.usage, contextTokens: 0 };
}

export function countTurn(draft: Draft, { data }: EventOfType<"turn:end">): void {
  // The run's counter only grows; a smaller value is a counter that began again.
  const spent = data.costUsd >= draft.runCostUsd ? data.costUsd - draft.runCostUsd : data.costUsd;
  draft.usage = {
    total: add(draft.usage.total, data.usage),
    costUsd: roundUsd(draft.usage.costUsd + spent),
    contextTokens: draft.usage.contextTokens,
    contextWindow:
      windowOf(data.modelUsage, draft.servingModel, draft.turn?.model ?? null) ??
      draft.usage.contextWindow,
    lastTurn: data.usage,
    lastTurnMs: data.durationMs,
  };
  draft.runCostUsd = data.costUsd;
}
