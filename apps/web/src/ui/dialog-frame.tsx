import * as Primitive from "@kobalte/core/dialog";
import { onCleanup } from "solid-js";
import { t } from "../i18n/t.ts";
import { IconButton } from "./button.tsx";
import type { DialogProps } from "./dialog.tsx";

export function DialogFrame(props: DialogProps) {
  // Where one was: this is mounted when it opens, so the library has no button of its own to go back to.
  const before = document.activeElement;
  const page = document.querySelector<HTMLElement>("#lodge");
  const setPage = (isInert: boolean) => {
    if (page !== null) page.inert = isInert;
  };
  // Not only hidden from the ear: nothing under a dialog can be reached.
  setPage(true);
  onCleanup(() => setPage(false));
  return (
    <Primitive.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay class="veil" />
        <div class="dialog-place">
          <Primitive.Content
            class="dialog"
            data-size={props.size}
            onCloseAutoFocus={(event: Event) => {
              event.preventDefault();
              setPage(false);
              // Unless somebody was quicker, and is somewhere else already.
              const isFree = [null, document.body].includes(document.activeElement as HTMLElement);
              if (isFree && before instanceof HTMLElement && before.isConnected) before.focus();
            }}
          >
            <header class="dialog-head">
              <Primitive.Title as="h2">{props.title}</Primitive.Title>
              <IconButton icon="close" label={t("dialog.close")} onClick={() => props.onClose()} />
            </header>
            {props.children}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
