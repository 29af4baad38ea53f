import { createEffect, createSignal, createUniqueId, on, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import type { InputState } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { useSessionRoom } from "../session-context.ts";
import { readInputText } from "./find-input.ts";

/** One input that waits: its text, its place, and what can be done with it. */
export function QueuedInput(props: {
  readonly input: InputState;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isEditing: boolean;
  readonly onEdit: (isOn: boolean) => void;
  readonly onSave: (text: string) => Promise<void>;
  readonly onMove: (step: -1 | 1) => Promise<void>;
}) {
  const room = useSessionRoom();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const [text, setText] = createSignal<string | null>(null);
  const name = () => props.input.preview || t("queue.attachments");

  /** One act at a time; its outcome is told here. */
  async function follow(act: Promise<unknown>) {
    setIsBusy(true);
    setError(null);
    try {
      await act;
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    } finally {
      setIsBusy(false);
    }
  }
  async function open(inputId: string, preview: string) {
    const whole = await readInputText(room.session.events(), inputId, room.readBlob);
    setText(whole ?? preview);
  }
  createEffect(
    on(
      () => props.isEditing,
      (isEditing) => {
        setText(null);
        if (isEditing) void follow(open(props.input.inputId, props.input.preview));
      },
    ),
  );
  const save = (next: string) => {
    if (isBusy() || (next.trim() === "" && props.input.attachments === 0)) return;
    void follow(props.onSave(next));
  };
  const move = (step: -1 | 1) => {
    if (!isBusy()) void follow(props.onMove(step));
  };

  return (
    <li data-input={props.input.inputId}>
      <Show
        when={props.isEditing && text() !== null}
        fallback={
          <>
            <span class="tag">
              {t(props.input.deliver === "steer" ? "queue.steer" : "queue.waiting")}
            </span>
            <span class="queue-text" dir="auto">
              {name()}
            </span>
          </>
        }
      >
        <EditQueued
          text={text() ?? ""}
          isBusy={isBusy()}
          onSave={save}
          onBack={() => props.onEdit(false)}
        />
      </Show>
      <Show when={error()}>
        {(failure) => <span role="alert">{describeError(failure())}</span>}
      </Show>
      <Show when={!props.isEditing}>
        <span class="queue-acts" role="group" aria-label={t("queue.acts", name())}>
          <IconButton
            icon="up"
            label={t("queue.up")}
            data-act="up"
            isOff={props.isFirst}
            onClick={() => move(-1)}
          />
          <IconButton
            icon="down"
            label={t("queue.down")}
            data-act="down"
            isOff={props.isLast}
            onClick={() => move(1)}
          />
          <IconButton
            icon="pencil"
            label={t("queue.edit")}
            data-act="edit"
            onClick={() => props.onEdit(true)}
          />
          <Button
            tone="quiet"
            isBusy={isBusy()}
            onClick={() => void follow(room.session.withdraw(props.input.inputId))}
          >
            {t("queue.withdraw")}
          </Button>
        </span>
      </Show>
    </li>
  );
}

/** Enter makes a line: a message that waits is nothing to be sent off by habit. */
function EditQueued(props: {
  readonly text: string;
  readonly isBusy: boolean;
  readonly onSave: (text: string) => void;
  readonly onBack: () => void;
}) {
  const id = createUniqueId();
  let field: HTMLTextAreaElement | undefined;
  return (
    <div class="queue-edit">
      <label class="visually-hidden" for={id}>
        {t("queue.editLabel")}
      </label>
      <textarea
        id={id}
        ref={(element) => {
          field = element;
          setTimeout(() => element.focus());
        }}
        dir="auto"
        rows={2}
        // oxlint-disable-next-line solid/reactivity -- where one begins; then it is the person's
        value={props.text}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            event.preventDefault();
            props.onBack();
          } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            props.onSave(event.currentTarget.value);
          }
        }}
      />
      <span class="row">
        <Button
          tone="primary"
          isBusy={props.isBusy}
          onClick={() => props.onSave(field?.value ?? "")}
        >
          {t("queue.save")}
        </Button>
        <Button tone="quiet" onClick={() => props.onBack()}>
          {t("dialog.cancel")}
        </Button>
      </span>
    </div>
  );
}
