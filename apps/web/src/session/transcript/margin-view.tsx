/** Everything that is neither said nor done by Claude or a person: notes in the margin. */
import { Show } from "solid-js";
import type { Author, Text } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { previewText } from "../../ui/blob-text.ts";
import { formatDayAndTime, formatTime } from "../../ui/format.ts";
import { useSessionRoom } from "../session-context.ts";
import { adviseOn } from "./advice.ts";
import { describeConfigChange } from "./describe-config-change.ts";
import type { AnswerRow, Row, RunEndRow } from "./row.ts";
import { Fold } from "./text/fold.tsx";
import { OutputText } from "./text/output-text.tsx";

type Note = {
  readonly tone: "plain" | "warning" | "error";
  readonly text: string;
  /** In the session's own words, below. */
  readonly more?: Text;
  /** The line it came from: for who wants to know. */
  readonly raw?: unknown;
  readonly advice?: string | null;
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
            {(more) => <OutputText text={more()} foldKey={`${props.row.key}.more`} />}
          </Show>
          <Show when={shown().advice}>{(advice) => <p class="advice">{advice()}</p>}</Show>
          <Show when={shown().raw}>
            {(raw) => (
              <Fold foldKey={`${props.row.key}.raw`} class="thinking" label={t("notice.raw")}>
                <OutputText
                  text={JSON.stringify(raw(), null, 2)}
                  foldKey={`${props.row.key}.rawtext`}
                />
              </Fold>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}

/** Where the line says more than what was read from it. */
const SHOWS_RAW = new Set([
  "unknown_line",
  "bad_line",
  "cut_line",
  "unknown_control_request",
  "drift",
]);
/** The heading says it all. */
const SAYS_NOTHING_NEW = new Set(["compacting"]);

function describe(row: Row, nameOf: (by: Author | null) => string): Note | null {
  switch (row.kind) {
    case "notice":
      return {
        tone: row.level === "info" ? "plain" : row.level,
        text: t(`notice.${row.noticeKind}`),
        ...(SAYS_NOTHING_NEW.has(row.noticeKind) || row.text === "" ? {} : { more: row.text }),
        ...(SHOWS_RAW.has(row.noticeKind) && row.raw !== null ? { raw: row.raw } : {}),
        advice: row.level === "info" ? null : adviseOn({ text: previewText(row.text) }),
      };
    case "run-error":
      return {
        tone: "error",
        text: t("run.error", row.code),
        more: row.message,
        advice: adviseOn({ code: row.code, text: row.message }),
      };
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
      return {
        tone: "plain",
        text: describeConfigChange(row.change, row.isByClaude ? t("who.claude") : nameOf(row.by)),
      };
    case "task":
      return {
        tone: row.status === "failed" ? "warning" : "plain",
        text: t("task.ended", row.status),
        more: row.summary,
      };
    case "block":
      return { tone: "plain", text: t("transcript.block"), raw: row.block };
    case "input":
    case "text":
    case "thinking":
    case "tool":
    case "turn":
    case "limit":
      return null;
  }
}

function describeRunEnd(row: RunEndRow): Note {
  const isPlain =
    row.reason === "completed" || row.reason === "stopped" || row.reason === "idle_timeout";
  const how = row.signal ?? (row.code === null ? "" : String(row.code));
  return {
    tone: isPlain ? "plain" : "warning",
    text: t(`run.end.${row.reason}`, how),
    ...(row.message === null ? {} : { more: row.message }),
    advice: isPlain ? null : (adviseOn({ text: row.message }) ?? t("advice.sendAgain")),
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
