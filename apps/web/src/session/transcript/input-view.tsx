import { Show } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t, type TextKey } from "../../i18n/t.ts";
import { formatDayAndTime, formatTime } from "../../ui/format.ts";
import { LongText } from "../long-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import { ContentView } from "./content-view.tsx";
import type { InputRow } from "./row.ts";

const PHASE = {
  sent: "input.sent",
  interrupted: "input.interrupted",
  cancelled: "input.cancelled",
} as const satisfies Partial<Record<InputRow["phase"], TextKey>>;

/** What a person (or a schedule) said to the session. */
export function InputView(props: { readonly row: InputRow }) {
  const room = useSessionRoom();
  const who = () => {
    if (props.row.isScheduled) return t("input.scheduled");
    return props.row.by === null ? t("input.someone") : room.nameOf(props.row.by.userId);
  };
  /** Handed over, and no turn has begun since: Claude has not seen it yet. */
  const isUnseen = () => {
    const { turn } = room.session.state();
    return turn === null || turn.startedAt <= props.row.at;
  };
  const phase = () => {
    const { phase: now, cancelReason } = props.row;
    if (now === "cancelled" && cancelReason === "withdrawn") return t("input.withdrawn");
    if (now === "sent" && !isUnseen()) return null;
    return now in PHASE ? t(PHASE[now as keyof typeof PHASE]) : null;
  };
  return (
    <article class="input" data-phase={props.row.phase}>
      <header>
        <span class="input-who">{who()}</span>
        <time title={formatDayAndTime(props.row.at)}>{formatTime(props.row.at)}</time>
        <Show when={props.row.isSteered}>
          <span class="tag">{t("input.steered")}</span>
        </Show>
        <Show when={phase()}>{(text) => <span class="tag">{text()}</span>}</Show>
      </header>
      <ContentView content={props.row.contentBlocks} />
      <Show when={asGiven(props.row.text)} fallback={<p class="hint">{t("input.notLoaded")}</p>}>
        {(text) => (
          <div class="prose" dir="auto">
            <LongText text={text().value} />
          </div>
        )}
      </Show>
    </article>
  );
}

/** Boxed, because an empty text is a text. */
const asGiven = (text: Text | null) => (text === null ? null : { value: text });
