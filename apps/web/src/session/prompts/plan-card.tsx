/** Claude has a plan and waits. Approving goes on in the mode one chooses; the default is the mode from before. */
import { createSignal, createUniqueId, For, Show } from "solid-js";
import type { PermissionMode } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { CardProps } from "./card-props.ts";
import { createAnswer } from "./create-answer.ts";
import { DenyForm } from "./deny-form.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { createWholeInput, PromptInput } from "./prompt-input.tsx";

const NEXT_MODES: readonly PermissionMode[] = ["default", "acceptEdits"];

export function PlanCard(props: CardProps) {
  const room = useSessionRoom();
  const id = createUniqueId();
  const answer = createAnswer({
    prompt: () => props.prompt,
    send: room.session.answer,
    isArmed: () => props.isArmed(),
  });
  const whole = createWholeInput(() => props.prompt.input, room.readBlob);
  const [isRejecting, setIsRejecting] = createSignal(false);
  const [mode, setMode] = createSignal<PermissionMode | "">("");
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
      <div class="plan" tabindex="0">
        <VisibleText text={whole.textOf(props.prompt.input["plan"] ?? "")} />
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
        <div class="prompt-acts">
          <label for={id}>{t("plan.nextMode")}</label>
          <select
            id={id}
            onChange={(event) => setMode(event.currentTarget.value as PermissionMode | "")}
          >
            <option value="">{t("plan.modeBefore")}</option>
            <For each={NEXT_MODES}>
              {(next) => <option value={next}>{t(`mode.${next}`)}</option>}
            </For>
          </select>
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
