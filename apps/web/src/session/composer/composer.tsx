/** Where a person writes. Enter sends, Shift+Enter makes a line; on a touch screen the button sends. */
import { createEffect, createSignal, createUniqueId, on, onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { createDraft, type DraftStore } from "./create-draft.ts";
import { useSessionRoom } from "./session-context.ts";
import { StopButton } from "./stop-button.tsx";

const MOST_ROWS = 12;

export function Composer(props: {
  readonly draftKey: string;
  readonly storage: DraftStore;
  /** Enter makes a line here, as on any phone. */
  readonly isTouch: boolean;
  /** A text that could not be sent and goes back to where it was written. */
  readonly takenBack?: string;
}) {
  const room = useSessionRoom();
  const id = createUniqueId();
  // oxlint-disable-next-line solid/reactivity -- a composer lives in one session; its key does not change
  const draft = createDraft(props.storage, props.draftKey);
  const [isSteering, setIsSteering] = createSignal(false);
  let field: HTMLTextAreaElement | undefined;
  const isBusy = () => room.session.status() === "streaming";
  const isEmpty = () => draft.text().trim() === "";

  createEffect(
    on(
      () => props.takenBack,
      (text) => {
        if (text) draft.setText([draft.text(), text].filter((part) => part !== "").join("\n\n"));
      },
    ),
  );

  // Ready to write, unless a keyboard would cover the page or a prompt wants to be read first.
  onMount(() => {
    if (!props.isTouch && room.session.state().prompts.length === 0) field?.focus();
  });

  function send() {
    if (isEmpty()) return;
    const deliver = isBusy() && isSteering() ? "steer" : "queue";
    room.session.send(draft.text(), { deliver });
    draft.setText("");
    setIsSteering(false);
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || props.isTouch) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="visually-hidden" for={id}>
        {t("composer.label")}
      </label>
      <textarea
        id={id}
        ref={field}
        dir="auto"
        value={draft.text()}
        rows={Math.min(MOST_ROWS, draft.text().split("\n").length)}
        placeholder={t(isBusy() ? "composer.placeholderBusy" : "composer.placeholder")}
        aria-describedby={`${id}-hint`}
        onInput={(event) => draft.setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-acts">
        <p class="hint" id={`${id}-hint`}>
          <Show when={isBusy()} fallback={t("composer.hint")}>
            <label class="steer" title={t("composer.steerHint")}>
              <input
                type="checkbox"
                checked={isSteering()}
                onChange={(event) => setIsSteering(event.currentTarget.checked)}
              />
              {t("composer.steer")}
            </label>
          </Show>
        </p>
        <StopButton />
        <Button type="submit" tone="primary" isOff={isEmpty()}>
          {t(
            isBusy()
              ? isSteering()
                ? "composer.sendSteer"
                : "composer.sendQueue"
              : "composer.send",
          )}
        </Button>
      </div>
    </form>
  );
}
