import { For, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import {
  formatCost,
  formatDayAndTime,
  formatElapsed,
  formatTime,
  formatTokens,
} from "../../ui/format.ts";
import type { TurnRow } from "./row.ts";

/** The line under a turn: how it ended, what it took. */
export function TurnView(props: { readonly row: TurnRow }) {
  const end = () => props.row.end;
  const outcome = () => {
    if (end().terminalReason?.startsWith("aborted")) return t("turn.interrupted");
    if (end().isError || end().subtype !== "success") return t("turn.failed", end().subtype);
    return end().permissionDenials > 0 ? t("turn.denials", end().permissionDenials) : null;
  };
  const facts = () => {
    const { usage } = end();
    const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheCreationTokens;
    return [
      formatElapsed(end().durationMs),
      ...(input + usage.outputTokens > 0
        ? [t("turn.tokens", formatTokens(input), formatTokens(usage.outputTokens))]
        : []),
      ...(props.row.costUsd === null || props.row.costUsd === 0
        ? []
        : [formatCost(props.row.costUsd)]),
    ];
  };
  return (
    <p class="turn-end" data-error={end().isError ? "" : undefined}>
      <Show when={outcome()}>{(text) => <strong>{text()}</strong>}</Show>
      <For each={facts()}>{(fact) => <span>{fact}</span>}</For>
      <time title={formatDayAndTime(props.row.at)}>{formatTime(props.row.at)}</time>
    </p>
  );
}
