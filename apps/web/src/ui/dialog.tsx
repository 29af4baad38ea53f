/** A dialog: its file comes when one is first opened. Focus goes in, stays in, and comes back to where it was. */
import { lazy, Show, Suspense, type JSX } from "solid-js";

const DialogFrame = lazy(async () => ({
  default: (await import("./dialog-frame.tsx")).DialogFrame,
}));

export type DialogProps = {
  readonly title: string;
  readonly size?: "wide";
  readonly onClose: () => void;
  readonly children: JSX.Element;
};

export function Dialog(props: DialogProps & { readonly isOpen: boolean }) {
  return (
    <Show when={props.isOpen}>
      <Suspense>
        <DialogFrame {...props} />
      </Suspense>
    </Show>
  );
}
