/** Claude has a plan and waits. Approving goes on in the mode one chooses; the default is the mode from before. */
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { Markdown } from "../transcript/markdown/markdown.tsx";
import type { PermissionMode } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { revealHidden } from "../../ui/reveal-hidden.ts";
import { Segments } from "../../ui/segments.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { CardProps } from "./card-props.ts";
import { createAnswer } from "./create-answer.ts";
import { DenyForm } from "./deny-form.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { createWholeInput, PromptInput } from "./prompt-input.tsx";

const NEXT_MODES: readonly (PermissionMode | "")[] = ["", "default", "acceptEdits"];

export function PlanCard(props: CardProps) {
  const room = useSessionRoom();
  const id = createUniqueId();
  const answer = createAnswer({
    prompt: () => props.prompt,
    send: room.session.answer,
    isArmed: () => props.isArmed(),
    onAnswered: () => props.onAnswered(),
  });
  const whole = createWholeInput(() => props.prompt.input, room.readBlob);
  const [isRejecting, setIsRejecting] = createSignal(false);
  const [mode, setMode] = createSignal<PermissionMode | "">("");
  const plan = () => whole.textOf(props.prompt.input["plan"] ?? "");
  /** What hides something is first shown as it is. */
  const isPlain = () => revealHidden(plan()).every((piece) => piece.kind === "seen");
  // oxlint-disable-next-line solid/reactivity -- where one begins; then it is the person's
  const [view, setView] = createSignal<"reading" | "written">(isPlain() ? "reading" : "written");
  const rest = () => {
    const { plan: _plan, ...others } = props.prompt.input;
    return others;
  };

  function approve() {
    if (!whole.isWhole()) return;
    const next = mode();
    const setNext = { type: "setMode", mode: next, destination: "session" };
    answer.give({ behavior: "allow", ...(next === "" ? {} : { updatedPermissions: [setNext] }) });
  }

  return (
    <PromptCard prompt={props.prompt} heading={t("plan.title")} phase={answer.phase()}>
      <Segments
        label={t("plan.how")}
        value={view()}
        options={(["reading", "written"] as const).map((value) => ({
          value,
          label: t(`plan.${value}`),
        }))}
        onChoose={setView}
      />
      <div class="plan" tabindex="0" role="group" aria-label={t("plan.text")}>
        <Show
          when={view() === "reading"}
          fallback={
            <pre>
              <VisibleText text={plan()} />
            </pre>
          }
        >
          <Markdown text={plan()} />
        </Show>
      </div>
      <details class="plan-rest">
        <summary>{t("plan.rest")}</summary>
        <PromptInput input={rest()} whole={whole} />
      </details>
      <Show when={!whole.isWhole()}>
        <Button isBusy={whole.phase() === "loading"} onClick={() => void whole.load()}>
          {t("plan.showWhole")}
        </Button>
      </Show>
      <Show
        when={!isRejecting()}
        fallback={
          <DenyForm
            label={t("plan.rejectMessage")}
            submit={t("plan.reject")}
            isBusy={answer.isOff()}
            onDeny={(message) => answer.give({ behavior: "deny", message })}
            onBack={() => setIsRejecting(false)}
          />
        }
      >
        <fieldset class="plan-modes">
          <legend>{t("plan.nextMode")}</legend>
          <div class="choice-cards">
            <For each={NEXT_MODES}>
              {(next) => (
                <label class="choice-card">
                  <input
                    type="radio"
                    name={id}
                    value={next}
                    checked={mode() === next}
                    onChange={() => setMode(next)}
                  />
                  <span>
                    <strong>{next === "" ? t("plan.modeBefore") : t(`mode.${next}`)}</strong>
                    <span class="hint">
                      {next === "" ? t("plan.modeBeforeHint") : t(`mode.hint.${next}`)}
                    </span>
                  </span>
                </label>
              )}
            </For>
          </div>
        </fieldset>
        <div class="prompt-acts">
          <Button isOff={answer.isOff()} onClick={() => setIsRejecting(true)}>
            {t("plan.reject")}
          </Button>
          <Button tone="primary" isOff={answer.isOff() || !whole.isWhole()} onClick={approve}>
            {t("plan.approve")}
          </Button>
        </div>
      </Show>
    </PromptCard>
  );
}
