/** The task list as this call left it. */
import { For, Show } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { RevealedText } from "../text/revealed-text.tsx";
import type { ToolRow } from "../row.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";
import { describeTodoStatus } from "./tool-summary.ts";

export function TodoView(props: { readonly row: ToolRow }) {
  return (
    <Show
      when={props.row.todos}
      fallback={
        <>
          <InputFields fields={props.row.input} foldKey={props.row.key} />
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        </>
      }
    >
      {(todos) => (
        <Show when={todos().length > 0} fallback={<p class="tool-note">{t("todo.none")}</p>}>
          <ul class="todos">
            <For each={todos()}>
              {(todo) => (
                <li data-status={todo.status} dir="auto">
                  <span class="todo-mark" role="img" aria-label={describeTodoStatus(todo.status)} />
                  <span>
                    <RevealedText text={todo.subject} />
                  </span>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </Show>
  );
}
