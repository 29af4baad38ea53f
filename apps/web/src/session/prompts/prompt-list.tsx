/**
 * All that waits for a person, oldest first, each on its own card. For a moment after the cards
 * moved nothing is taken for an answer: a second press must not answer the prompt that slid under
 * the pointer.
 */
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
} from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { PromptState } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { useSessionRoom } from "../session-context.ts";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { QuestionCard } from "./question-card.tsx";

export const ARM_AFTER_MS = 400;

export function PromptList(props: {
  readonly prompts: readonly PromptState[];
  readonly cwd: string | null;
}) {
  const room = useSessionRoom();
  // Kept by key: a card that is being filled in survives a reconnect, which brings new objects.
  const [cards, setCards] = createStore<{ key: string; prompt: PromptState }[]>([]);
  createEffect(() => {
    const next = props.prompts.map((prompt) => ({
      key: `${prompt.runId} ${prompt.requestId}`,
      prompt,
    }));
    setCards(reconcile(next, { key: "key" }));
  });

  const keys = createMemo(() => cards.map((card) => card.key).join("\n"));
  const [isArmed, setIsArmed] = createSignal(false);
  createEffect(
    on(keys, () => {
      setIsArmed(false);
      const timer = setTimeout(() => setIsArmed(true), ARM_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    }),
  );

  return (
    <>
      <p class="visually-hidden" role="status" aria-live="assertive">
        <Show when={cards.length > 0}>
          {t("prompt.announce", cards.length, cards[0]?.prompt.displayName ?? "")}
        </Show>
      </p>
      <Show when={cards.length > 0}>
        <div class="prompts" aria-label={t("prompt.list")} role="region" tabindex="-1">
          <Show when={!room.session.connected()}>
            <p class="hint">{t("prompt.notConnected")}</p>
          </Show>
          <For each={cards}>
            {(card) => (
              <Switch
                fallback={<PermissionCard prompt={card.prompt} cwd={props.cwd} isArmed={isArmed} />}
              >
                <Match when={card.prompt.kind === "plan"}>
                  <PlanCard prompt={card.prompt} cwd={props.cwd} isArmed={isArmed} />
                </Match>
                <Match when={card.prompt.kind === "question"}>
                  <QuestionCard prompt={card.prompt} cwd={props.cwd} isArmed={isArmed} />
                </Match>
              </Switch>
            )}
          </For>
        </div>
      </Show>
    </>
  );
}
