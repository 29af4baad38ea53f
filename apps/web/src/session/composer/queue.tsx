/** Inputs that are not with Claude yet: on their way here, failed on it, or waiting for their turn. */
import { createEffect, createSignal, For, Show } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { ApiError, type Outgoing } from "@lodge/client";
import type { InputState } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { useSessionRoom } from "./session-context.ts";

export function Queue(props: { readonly onTakeBack: (text: string) => void }) {
  const { session } = useSessionRoom();
  const [queued, setQueued] = createStore<InputState[]>([]);
  createEffect(() => {
    const waiting = session.state().inputs.filter((input) => input.phase === "queued");
    setQueued(reconcile(structuredClone(waiting), { key: "inputId" }));
  });
  const isHeld = () => session.state().queueHeld && queued.length > 0;

  return (
    <Show when={queued.length > 0 || session.outgoing().length > 0}>
      <section class="queue" aria-label={t("queue.title")}>
        <Show when={isHeld()}>
          <p class="hint">{t("queue.held")}</p>
        </Show>
        <ol>
          <For each={queued}>{(input) => <QueuedInput input={input} />}</For>
          <For each={session.outgoing()}>
            {(item) => <OutgoingInput item={item} onTakeBack={(text) => props.onTakeBack(text)} />}
          </For>
        </ol>
      </section>
    </Show>
  );
}

function QueuedInput(props: { readonly input: InputState }) {
  const { session } = useSessionRoom();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);

  async function withdraw() {
    setIsBusy(true);
    setError(null);
    try {
      await session.withdraw(props.input.inputId);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
      setIsBusy(false);
    }
  }

  return (
    <li>
      <span class="tag">
        {t(props.input.deliver === "steer" ? "queue.steer" : "queue.waiting")}
      </span>
      <span class="queue-text" dir="auto">
        {props.input.preview || t("queue.attachments")}
      </span>
      <Show when={error()}>
        {(failure) => <span role="alert">{describeError(failure())}</span>}
      </Show>
      <Button tone="quiet" isBusy={isBusy()} onClick={() => void withdraw()}>
        {t("queue.withdraw")}
      </Button>
    </li>
  );
}

function OutgoingInput(props: {
  readonly item: Outgoing;
  readonly onTakeBack: (text: string) => void;
}) {
  const { session } = useSessionRoom();
  return (
    <li data-failed={props.item.phase === "failed" ? "" : undefined}>
      <span class="tag">{t(props.item.phase === "failed" ? "queue.failed" : "queue.sending")}</span>
      <span class="queue-text" dir="auto">
        {props.item.input}
      </span>
      <Show when={props.item.error}>
        {(error) => (
          <>
            <span role="alert">{describeError(error())}</span>
            <Button onClick={() => session.retrySend(props.item.inputId)}>
              {t("queue.retry")}
            </Button>
            <Button
              tone="quiet"
              onClick={() => props.onTakeBack(session.discardSend(props.item.inputId) ?? "")}
            >
              {t("queue.takeBack")}
            </Button>
          </>
        )}
      </Show>
    </li>
  );
}
