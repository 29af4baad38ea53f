import { createUniqueId, Show, type JSX } from "solid-js";

/** A label with its control, and what is to be known about it. */
export function Field(props: {
  readonly label: string;
  readonly hint?: string;
  readonly children: (id: string, hintId: string) => JSX.Element;
}) {
  const id = createUniqueId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(id, `${id}-hint`)}
      <Show when={props.hint}>
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      </Show>
    </div>
  );
}
