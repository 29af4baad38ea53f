/**
 * Inputs that are not with Claude yet: on their way here, failed on it, or waiting for their turn.
 * One that waits can be edited, moved and withdrawn. The log keeps an edited or moved one under a new id; here
 * it is the same row to the person, so the focus goes with it.
 */
import { createEffect, createSignal, For, Show } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { Outgoing } from "@lodge/client";
import type { InputState, ReplaceInputBody } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { useLodge } from "../../live/lodge-context.ts";
import { Button } from "../../ui/button.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { useSessionRoom } from "../session-context.ts";
import { QueuedInput } from "./queued-input.tsx";

export type QueueHandle = { readonly editLast: () => void };

export function Queue(props: {
  readonly onTakeBack: (text: string) => void;
  readonly ref?: (handle: QueueHandle) => void;
}) {
  const { session } = useSessionRoom();
  const { http, effects } = useLodge();
  const [queued, setQueued] = createStore<InputState[]>([]);
  createEffect(() => {
    const waiting = session.state().inputs.filter((input) => input.phase === "queued");
    setQueued(reconcile(structuredClone(waiting), { key: "inputId" }));
  });
  const isHeld = () => session.state().queueHeld && queued.length > 0;
  const [editing, setEditing] = createSignal<string | null>(null);
  /** Where the focus goes once the row is there under its new id. */
  let focusNext: { readonly inputId: string; readonly act: string } | null = null;
  let list: HTMLOListElement | undefined;

  createEffect(() => {
    if (!queued.some((input) => input.inputId === focusNext?.inputId)) return;
    const { inputId, act } = focusNext ?? { inputId: "", act: "" };
    focusNext = null;
    const row = [...(list?.children ?? [])].find(
      (one) => one instanceof HTMLElement && one.dataset["input"] === inputId,
    );
    const wanted = row?.querySelector<HTMLElement>(`[data-act="${act}"]:not([aria-disabled])`);
    (wanted ?? row?.querySelector<HTMLElement>("button"))?.focus();
  });

  async function replace(
    input: InputState,
    change: Omit<ReplaceInputBody, "inputId">,
    act: string,
  ): Promise<void> {
    const inputId = effects.newId();
    focusNext = { inputId, act };
    await http.replaceInput(session.sessionId, input.inputId, { inputId, ...change });
    setEditing(null);
  }
  /** Before the one above it, or behind the one below. */
  function move(index: number, step: -1 | 1): Promise<void> {
    const input = queued[index];
    if (input === undefined || queued[index + step] === undefined) return Promise.resolve();
    const before = queued[step === -1 ? index - 1 : index + 2]?.inputId ?? null;
    return replace(input, { before }, step === -1 ? "up" : "down");
  }
  // oxlint-disable-next-line solid/reactivity -- handed over once
  props.ref?.({ editLast: () => setEditing(queued.at(-1)?.inputId ?? null) });

  return (
    <Show when={queued.length > 0 || session.outgoing().length > 0}>
      <section class="queue" aria-label={t("queue.title")}>
        <Show when={isHeld()}>
          <p class="hint queue-held">{t("queue.held")}</p>
        </Show>
        <ol ref={list}>
          <For each={queued}>
            {(input, index) => (
              <QueuedInput
                input={input}
                isFirst={index() === 0}
                isLast={index() === queued.length - 1}
                isEditing={editing() === input.inputId}
                onEdit={(isOn) => setEditing(isOn ? input.inputId : null)}
                onSave={(text) => replace(input, { input: text }, "edit")}
                onMove={(step) => move(index(), step)}
              />
            )}
          </For>
          <For each={session.outgoing()}>
            {(item) => <OutgoingInput item={item} onTakeBack={(text) => props.onTakeBack(text)} />}
          </For>
        </ol>
      </section>
    </Show>
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
        {props.item.input || t("queue.attachments")}
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
