/** The commands that fit what is being written. The field keeps the focus and says which one is meant. */
import { createEffect, For, Show } from "solid-js";
import type { SlashCommand } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function CommandList(props: {
  readonly id: string;
  readonly commands: readonly SlashCommand[];
  readonly active: number;
  readonly onChoose: (command: SlashCommand) => void;
}) {
  let list: HTMLUListElement | undefined;
  createEffect(() => {
    list?.children[props.active]?.scrollIntoView?.({ block: "nearest" });
  });
  return (
    <Show
      when={props.commands.length > 0}
      fallback={
        <p class="commands-none hint" role="status">
          {t("commands.none")}
        </p>
      }
    >
      <ul class="commands" id={props.id} ref={list} role="listbox" aria-label={t("commands.label")}>
        <For each={props.commands}>
          {(command, index) => (
            <li
              id={optionId(props.id, index())}
              role="option"
              aria-selected={index() === props.active}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                props.onChoose(command);
              }}
            >
              <span class="command-name">
                /{command.name}
                <Show when={command.argumentHint}>
                  <span class="command-hint"> {command.argumentHint}</span>
                </Show>
              </span>
              <span class="hint">{command.description}</span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
