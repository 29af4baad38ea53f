import { createUniqueId, For } from "solid-js";

/** One of a few, all in sight: radio buttons to the keyboard and the ear. */
export function Segments<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
}) {
  const name = createUniqueId();
  return (
    <div class="segments" role="radiogroup" aria-label={props.label}>
      <For each={props.options}>
        {(option) => (
          <label>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === props.value}
              onChange={() => props.onChoose(option.value)}
            />
            {option.label}
          </label>
        )}
      </For>
    </div>
  );
}
