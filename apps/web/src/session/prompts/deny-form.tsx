import { createUniqueId, onMount } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";

/** A refusal with words. Enter makes a new line: only the button sends. */
export function DenyForm(props: {
  readonly label: string;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onDeny: (message: string) => void;
  readonly onBack: () => void;
}) {
  const id = createUniqueId();
  let field: HTMLTextAreaElement | undefined;
  let form: HTMLDivElement | undefined;
  onMount(() => {
    field?.focus({ preventScroll: true });
    // With its buttons: the field alone would leave them below the edge.
    form?.scrollIntoView?.({ block: "nearest" });
  });
  return (
    <div
      class="deny-form"
      ref={form}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onBack();
      }}
    >
      <label for={id}>{props.label}</label>
      <textarea id={id} ref={field} rows={3} maxlength={20_000} dir="auto" />
      <div class="prompt-acts">
        <Button tone="quiet" onClick={() => props.onBack()}>
          {t("prompt.back")}
        </Button>
        <Button isBusy={props.isBusy} onClick={() => props.onDeny(field?.value ?? "")}>
          {props.submit}
        </Button>
      </div>
    </div>
  );
}
