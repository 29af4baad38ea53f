import { createSignal, onMount, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

const LONGEST_TITLE = 200;

type RenameProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onRename: (title: string) => Promise<unknown>;
  readonly onClose: () => void;
};

export function RenameDialog(props: RenameProps) {
  return (
    <Dialog isOpen={props.isOpen} title={t("rename.title")} onClose={props.onClose}>
      <RenameForm {...props} />
    </Dialog>
  );
}

function RenameForm(props: RenameProps) {
  const [isBusy, setIsBusy] = createSignal(false);
  const [error, setError] = createSignal<ApiError | null>(null);
  let field: HTMLInputElement | undefined;
  onMount(() => setTimeout(() => field?.select()));

  async function submit() {
    const title = field?.value.trim() ?? "";
    if (title === "" || isBusy()) return;
    setIsBusy(true);
    setError(null);
    try {
      await props.onRename(title);
      props.onClose();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
      setIsBusy(false);
    }
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={t("rename.label")}>
        {(id) => (
          <input
            id={id}
            ref={field}
            dir="auto"
            // oxlint-disable-next-line solid/reactivity -- where one begins; then it is the person's
            value={props.title}
            maxlength={LONGEST_TITLE}
            required
            autocomplete="off"
          />
        )}
      </Field>
      <p class="form-error" role="alert">
        <Show when={error()}>{(failure) => describeError(failure())}</Show>
      </p>
      <div class="dialog-acts">
        <Button onClick={() => props.onClose()}>{t("dialog.cancel")}</Button>
        <Button type="submit" tone="primary" isBusy={isBusy()}>
          {t("rename.submit")}
        </Button>
      </div>
    </form>
  );
}
