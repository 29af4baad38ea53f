import { For, Show } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t, type TextKey } from "../../i18n/t.ts";
import { formatDayAndTime, formatTime } from "../../ui/format.ts";
import { useSessionRoom } from "../session-context.ts";
import type { InputRow } from "./row.ts";
import { OutputText } from "./text/output-text.tsx";
import { Picture, pictureOf } from "./text/picture.tsx";
import { RevealedText } from "./text/revealed-text.tsx";
import { fieldsOf } from "./tools/fields.ts";
import { ContentBlocks } from "./tools/result-view.tsx";

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
  const pictures = () =>
    props.row.contentBlocks.flatMap((block) => pictureOf(fieldsOf(block)) ?? []);
  const others = () =>
    props.row.contentBlocks.filter((block) => pictureOf(fieldsOf(block)) === null);
  return (
    <article class="input" data-phase={props.row.phase} aria-label={t("input.label", who())}>
      <header>
        <span class="input-who">{who()}</span>
        <time title={formatDayAndTime(props.row.at)}>{formatTime(props.row.at)}</time>
        <Show when={props.row.isSteered}>
          <span class="tag">{t("input.steered")}</span>
        </Show>
        <Show when={phase()}>{(text) => <span class="tag">{text()}</span>}</Show>
      </header>
      <Show when={pictures().length > 0}>
        <div class="pictures">
          <For each={pictures()}>{(source) => <Picture source={source} />}</For>
        </div>
      </Show>
      <Show when={others().length > 0}>
        <ContentBlocks content={others()} foldKey={`${props.row.key}.block`} />
      </Show>
      <Show when={asGiven(props.row.text)} fallback={<p class="hint">{t("input.notLoaded")}</p>}>
        {(text) => (
          <Show when={text().value !== ""}>
            <div class="input-text">
              <OutputText
                text={text().value}
                foldKey={`${props.row.key}.text`}
                render={(piece) => <RevealedText text={piece} />}
              />
            </div>
          </Show>
        )}
      </Show>
    </article>
  );
}

/** Boxed, because an empty text is a text. */
const asGiven = (text: Text | null) => (text === null ? null : { value: text });
