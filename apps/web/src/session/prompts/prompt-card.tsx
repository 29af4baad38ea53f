/** The frame of every prompt: what is asked, by whom, since when, and what became of the answer. */
import { createUniqueId, Show, type JSX } from "solid-js";
import type { PromptState } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { describeError } from "../../ui/describe-error.ts";
import { formatDuration } from "../../ui/format.ts";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { AnswerPhase } from "./create-answer.ts";

export function PromptCard(props: {
  readonly prompt: PromptState;
  readonly heading: string;
  readonly phase: AnswerPhase;
  readonly children: JSX.Element;
}) {
  const room = useSessionRoom();
  const id = createUniqueId();
  const error = () => (props.phase.kind === "failed" ? props.phase.error : null);
  return (
    <section class="prompt" role="group" aria-labelledby={id} data-phase={props.phase.kind}>
      <header class="prompt-head">
        <span class="status-dot" aria-hidden="true" />
        <h2 id={id}>
          <VisibleText text={props.heading} />
        </h2>
        <Show when={props.prompt.agentId !== null}>
          <span class="tag">{t("prompt.bySubagent")}</span>
        </Show>
        <span class="prompt-age">
          {t("prompt.waiting", formatDuration(room.now() - props.prompt.at))}
        </span>
      </header>
      {props.children}
      <p class="form-error" role="alert">
        <Show when={error()}>{(failure) => describeError(failure())}</Show>
      </p>
      <Show when={props.phase.kind === "sent"}>
        <p class="hint">{t("prompt.sent")}</p>
      </Show>
    </section>
  );
}
