/** How a call goes, in a word or two beside it. */
import { t } from "../../../i18n/t.ts";
import { formatDuration, formatElapsed, formatTokens } from "../../../ui/format.ts";
import { useSessionRoom } from "../../session-context.ts";
import { toolStateOf } from "../grouping.ts";
import type { ToolRow } from "../row.ts";
import { fieldsOf, listOf, numberOf } from "./fields.ts";

export function ToolStateText(props: { readonly row: ToolRow }) {
  const room = useSessionRoom();
  const isAsked = (toolUseId: string) =>
    room.session.state().prompts.some((prompt) => prompt.toolUseId === toolUseId);
  const describe = (row: ToolRow): string => {
    const took = row.result === null ? "" : formatElapsed(row.result.at - row.at);
    switch (toolStateOf(row)) {
      case "running":
        if (isAsked(row.toolUseId)) return t("tool.waiting");
        return [describeTask(row), t("tool.running", formatDuration(room.now() - row.at))]
          .filter((part) => part !== "")
          .join(" · ");
      case "denied":
        return t("tool.denied");
      case "abandoned":
        return t("tool.abandoned");
      case "failed":
        return t("tool.failed", took);
      case "done":
        return [describeOutcome(row), row.name === null ? "" : took]
          .filter((part) => part !== "")
          .join(" · ");
    }
  };
  return <>{describe(props.row)}</>;
}

/** What a subagent is at. */
function describeTask({ task }: ToolRow): string {
  if (task === null) return "";
  return [
    task.doing ?? "",
    task.toolUses === null ? "" : t("agent.uses", task.toolUses),
    task.totalTokens === null ? "" : t("agent.tokens", formatTokens(task.totalTokens)),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function describeOutcome(row: ToolRow): string {
  const detail = fieldsOf(row.result?.detail);
  if (detail["isAsync"] === true || typeof detail["backgroundTaskId"] === "string") {
    if (row.task === null || row.task.status === "running") return t("tool.background");
    return t("tool.backgroundEnded", row.task.status);
  }
  switch (row.name) {
    case "Agent":
    case "Task": {
      const uses = numberOf(detail["totalToolUseCount"]);
      const tokens = numberOf(detail["totalTokens"]);
      return [
        uses === null ? "" : t("agent.uses", uses),
        tokens === null ? "" : t("agent.tokens", formatTokens(tokens)),
      ]
        .filter((part) => part !== "")
        .join(" · ");
    }
    case "Edit":
    case "Write":
    case "MultiEdit":
      return describePatch(detail["structuredPatch"]);
    case "Grep":
    case "Glob": {
      const count = numberOf(detail["numFiles"]);
      return count === null ? "" : t("search.files", count);
    }
    case "Read": {
      const lines = numberOf(fieldsOf(detail["file"])["numLines"]);
      return lines === null ? "" : t("read.count", lines);
    }
    default:
      return "";
  }
}

function describePatch(patch: unknown): string {
  const lines = listOf(patch).flatMap((hunk) => listOf(fieldsOf(hunk)["lines"]));
  const count = (sign: string) =>
    lines.filter((line) => typeof line === "string" && line.startsWith(sign)).length;
  return lines.length === 0 ? "" : t("diff.count", count("+"), count("-"));
}
