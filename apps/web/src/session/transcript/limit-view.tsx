/** A limit or a retry under way, counting down; afterwards a line that says that it was. */
import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { formatDayAndTime, formatDuration, formatTime } from "../../ui/format.ts";
import { useSessionRoom } from "../session-context.ts";
import type { LimitRow } from "./row.ts";

export function LimitView(props: { readonly row: LimitRow }) {
  const room = useSessionRoom();
  const endsAt = () => {
    const { endsAt: at, delayMs } = props.row.limit;
    return at ?? (delayMs === undefined ? null : props.row.saidAt + delayMs);
  };
  const left = () => {
    const end = endsAt();
    if (props.row.isOver || end === null) return null;
    const ms = end - room.now();
    return ms > 0 ? t("limit.left", formatDuration(ms)) : t("limit.now");
  };
  return (
    <div class="margin-note limit" data-tone={props.row.isOver ? "plain" : "warning"}>
      <p>
        {describeLimit(props.row)} <Show when={left()}>{(text) => <strong>{text()}</strong>}</Show>{" "}
        <time title={formatDayAndTime(props.row.at)}>{formatTime(props.row.at)}</time>
      </p>
    </div>
  );
}

function describeLimit({ limit, isOver }: LimitRow): string {
  const { kind, attempt, maxAttempts, error, status, endsAt } = limit;
  const tries =
    attempt === null
      ? ""
      : t("limit.tries", attempt, maxAttempts ?? 0, error ?? String(status ?? ""));
  const until = endsAt === null || isOver ? "" : formatTime(endsAt);
  const what = kind === "retry" ? t("limit.noAnswer") : t(`limit.${kind}`, until);
  return tries === "" ? what : `${what} · ${tries}`;
}
