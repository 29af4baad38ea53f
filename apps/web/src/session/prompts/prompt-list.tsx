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
import type { CardProps } from "./card-props.ts";
import { ClosedNotes, createClosedNotes } from "./closed-notes.tsx";
import { ElicitationCard } from "./elicitation-card.tsx";
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

  const own = new Set<string>();
  const closed = createClosedNotes({
    prompts: () => props.prompts,
    isOwn: (key) => own.has(key),
  });

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
              <Card
                prompt={card.prompt}
                cwd={props.cwd}
                isArmed={isArmed}
                onAnswered={() => own.add(card.key)}
              />
            )}
          </For>
        </div>
      </Show>
      <ClosedNotes notes={closed.notes()} onDismiss={closed.dismiss} />
    </>
  );
}

function Card(props: CardProps) {
  return (
    <Switch fallback={<PermissionCard {...props} />}>
      <Match when={props.prompt.kind === "plan"}>
        <PlanCard {...props} />
      </Match>
      <Match when={props.prompt.kind === "question"}>
        <QuestionCard {...props} />
      </Match>
      <Match when={props.prompt.kind === "elicitation"}>
        <ElicitationCard {...props} />
      </Match>
    </Switch>
  );
}
