/** `result`: the end of a turn. Failures of the API come as subtype success with is_error. */
import type { EventDataByType, ModelUsage } from "../event.ts";
import {
  type Fields,
  fieldsOf,
  listOf,
  numberOrNull,
  numberOrZero,
  textOr,
  textOrNull,
  textsOf,
} from "../fields.ts";
import { tokenUsage } from "./blocks.ts";
import { cliEvent, type LineContext, type LineEvents, runOf } from "./draft.ts";

function modelUsages(value: unknown): Record<string, ModelUsage> {
  const entries = Object.entries(fieldsOf(value)).map(([model, usage]): [string, ModelUsage] => {
    const fields = fieldsOf(usage);
    return [
      model,
      {
        inputTokens: numberOrZero(fields["inputTokens"]),
        outputTokens: numberOrZero(fields["outputTokens"]),
        cacheReadTokens: numberOrZero(fields["cacheReadInputTokens"]),
        cacheCreationTokens: numberOrZero(fields["cacheCreationInputTokens"]),
        costUsd: numberOrZero(fields["costUSD"]),
        contextWindow: numberOrNull(fields["contextWindow"]),
      },
    ];
  });
  return Object.fromEntries(entries);
}

export function resultLine(line: Fields, context: LineContext): LineEvents {
  const data: EventDataByType["turn:end"] = {
    subtype: textOr(line["subtype"], "unknown"),
    isError: line["is_error"] === true,
    usage: tokenUsage(line["usage"]),
    durationMs: numberOrZero(line["duration_ms"]),
    costUsd: numberOrZero(line["total_cost_usd"]),
    modelUsage: modelUsages(line["modelUsage"]),
    numTurns: numberOrZero(line["num_turns"]),
    result: textOrNull(line["result"]),
    terminalReason: textOrNull(line["terminal_reason"]),
    apiErrorStatus: numberOrNull(line["api_error_status"]),
    errors: textsOf(line["errors"]),
    permissionDenials: listOf(line["permission_denials"]).length,
    compact: runOf(context) !== null && context.state.turn?.compacted === true,
    origin: textOrNull(fieldsOf(line["origin"])["kind"]),
  };
  return [cliEvent(context, "turn:end", data)];
}
