import { Show, type JSX } from "solid-js";
import { useFolds } from "../folds.ts";

/** A heading that opens and folds what is under it. What is folded is not on the page. */
export function Fold(props: {
  readonly foldKey: string;
  readonly class: string;
  readonly label: JSX.Element;
  readonly isOpenByDefault?: boolean;
  readonly state?: string;
  readonly children: JSX.Element;
}) {
  const folds = useFolds();
  const isOpen = () => folds.isOpen(props.foldKey, props.isOpenByDefault ?? false);
  return (
    <details
      class={props.class}
      data-state={props.state}
      open={isOpen()}
      onToggle={(event) => {
        // Also told of what the page itself opened: that is no choice of anybody's.
        if (event.currentTarget.open !== isOpen())
          folds.choose(props.foldKey, event.currentTarget.open);
      }}
    >
      <summary>{props.label}</summary>
      <Show when={isOpen()}>{props.children}</Show>
    </details>
  );
}
