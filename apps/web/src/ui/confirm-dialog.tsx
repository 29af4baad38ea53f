/** Asks once more before something that cannot be taken back. The safe way out has the focus. */
import { createSignal, onMount, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "./button.tsx";
import { describeError } from "./describe-error.ts";
import { Dialog } from "./dialog.tsx";

export type ConfirmProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly tone?: "destroy" | "primary";
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
};

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Dialog isOpen={props.isOpen} title={props.title} onClose={props.onClose}>
      <Question {...props} />
    </Dialog>
  );
}

function Question(props: ConfirmProps) {
  const [isBusy, setIsBusy] = createSignal(false);
  const [error, setError] = createSignal<ApiError | null>(null);
  let cancel: HTMLButtonElement | undefined;
  onMount(() => setTimeout(() => cancel?.focus()));

  async function confirm() {
    setIsBusy(true);
    setError(null);
    try {
      await props.onConfirm();
      props.onClose();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
      setIsBusy(false);
    }
  }

  return (
    <>
      <p>{props.text}</p>
      <p class="form-error" role="alert">
        <Show when={error()}>{(failure) => describeError(failure())}</Show>
      </p>
      <div class="dialog-acts">
        <Button ref={cancel} onClick={() => props.onClose()}>
          {t("dialog.cancel")}
        </Button>
        <Button tone={props.tone ?? "destroy"} isBusy={isBusy()} onClick={() => void confirm()}>
          {props.confirm}
        </Button>
      </div>
    </>
  );
}
