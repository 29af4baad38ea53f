/** Everything that is neither said nor done by Claude or a person: notes in the margin. */
import { Show } from "solid-js";
import type { Author, Text } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { formatDayAndTime, formatTime } from "../../ui/format.ts";
import { LongText } from "../long-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import { describeConfigChange } from "./describe-config-change.ts";
import type { AnswerRow, LimitRow, Row, RunEndRow } from "./row.ts";

type Note = {
  readonly tone: "plain" | "warning" | "error";
  readonly text: string;
  /** In the session's own words, below. */
  readonly more?: Text;
};

export function MarginView(props: { readonly row: Row }) {
  const room = useSessionRoom();
  const note = () =>
    describe(props.row, (by) => (by === null ? t("who.lodge") : room.nameOf(by.userId)));
  return (
    <Show when={note()}>
      {(shown) => (
        <div class="margin-note" data-tone={shown().tone}>
          <p>
            {shown().text}{" "}
            <time title={formatDayAndTime(props.row.at)}>{formatTime(props.row.at)}</time>
          </p>
          <Show when={shown().more}>
            {(more) => (
              <pre dir="auto">
                <LongText text={more()} />
              </pre>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}

function describe(row: Row, nameOf: (by: Author | null) => string): Note | null {
  switch (row.kind) {
    case "notice":
      return {
        tone: row.level === "info" ? "plain" : row.level,
        text: t(`notice.${row.noticeKind}`),
        more: row.text,
      };
    case "limit":
      return { tone: "warning", text: describeLimit(row) };
    case "run-error":
      return { tone: "error", text: t("run.error", row.code), more: row.message };
    case "run-start":
      return { tone: "plain", text: t(row.isResumed ? "run.resumed" : "run.started") };
    case "run-end":
      return describeRunEnd(row);
    case "stop":
      if (row.reason !== null) return { tone: "plain", text: t(`stop.${row.reason}`) };
      return {
        tone: "plain",
        text: t(row.scope === "turn" ? "stop.turn" : "stop.run", nameOf(row.by)),
      };
    case "answer":
      return describeAnswer(row, nameOf(row.by));
    case "config":
      return { tone: "plain", text: describeConfigChange(row.change, nameOf(row.by)) };
    case "task":
      return { tone: "plain", text: t("task.ended", row.status), more: row.summary };
    case "block":
      return {
        tone: "plain",
        text: t("transcript.block"),
        more: JSON.stringify(row.block, null, 2),
      };
    case "input":
    case "text":
    case "thinking":
    case "tool":
    case "turn":
      return null;
  }
}

function describeLimit({ at, limit }: LimitRow): string {
  const endsAt = limit.endsAt ?? (limit.delayMs === undefined ? null : at + limit.delayMs);
  const until = endsAt === null ? "" : formatTime(endsAt);
  if (limit.kind !== "retry") return t(`limit.${limit.kind}`, until);
  return t(
    "limit.retry",
    limit.attempt ?? 0,
    limit.maxAttempts ?? 0,
    limit.error ?? String(limit.status ?? ""),
  );
}

function describeRunEnd(row: RunEndRow): Note {
  const isPlain =
    row.reason === "completed" || row.reason === "stopped" || row.reason === "idle_timeout";
  const how = row.signal ?? (row.code === null ? "" : String(row.code));
  return {
    tone: isPlain ? "plain" : "warning",
    text: t(`run.end.${row.reason}`, how),
    ...(row.message === null ? {} : { more: row.message }),
  };
}

function describeAnswer(row: AnswerRow, who: string): Note {
  const what = row.toolName ?? t("prompt.unknown");
  return {
    tone: row.outcome === "lost" || row.outcome === "expired" ? "warning" : "plain",
    text: t(`answer.${row.outcome}`, what, who),
    ...(row.message === null || row.message === "" ? {} : { more: row.message }),
  };
}
