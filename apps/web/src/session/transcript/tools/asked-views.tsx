/** What was put before a person: a plan and what became of it, questions and their answers. */
import { For, Show } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { parseQuestions } from "../../prompts/question.ts";
import type { ToolRow } from "../row.ts";
import { OutputText } from "../text/output-text.tsx";
import { Prose } from "../text/prose.tsx";
import { fieldsOf, restOf, stringOf, textOf } from "./fields.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";

type RowProps = { readonly row: ToolRow };

export function PlanView(props: RowProps) {
  const detail = () => fieldsOf(props.row.result?.detail);
  const proposed = () => textOf(props.row.input["plan"]);
  const plan = () =>
    textOf(detail()["plan"]) ?? textOf(props.row.answer?.updatedInput?.["plan"]) ?? proposed();
  /** The CLI calls every plan edited that was sent back with its answer. */
  const isEdited = () =>
    typeof proposed() === "string" && typeof plan() === "string" && plan() !== proposed();
  return (
    <>
      <Show when={isEdited()}>
        <p class="tool-note">{t("plan.edited")}</p>
      </Show>
      <Show
        when={plan()}
        fallback={<InputFields fields={props.row.input} foldKey={props.row.key} />}
      >
        {(text) => (
          <div class="inset">
            <Prose text={text()} />
          </div>
        )}
      </Show>
      <Show when={props.row.result?.isError === true && props.row.result}>
        {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
      </Show>
    </>
  );
}

export function QuestionView(props: RowProps) {
  const questions = () => parseQuestions(props.row.input) ?? [];
  const answers = () =>
    fieldsOf(
      fieldsOf(props.row.result?.detail)["answers"] ?? props.row.answer?.updatedInput?.["answers"],
    );
  return (
    <Show
      when={questions().length > 0}
      fallback={
        <>
          <InputFields fields={restOf(props.row.input, [])} foldKey={props.row.key} />
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        </>
      }
    >
      <dl class="asked">
        <For each={questions()}>
          {(question) => {
            const answer = () => stringOf(answers()[question.question]);
            const picked = () => (answer() ?? "").split(", ");
            /** What was written beside the options. */
            const other = () =>
              picked()
                .filter((label) => !question.options.some((option) => option.label === label))
                .join(", ");
            return (
              <div class="asked-one">
                <dt dir="auto">
                  <VisibleText text={question.question} />
                </dt>
                <dd>
                  <ul class="asked-options">
                    <For each={question.options}>
                      {(option) => (
                        <li
                          dir="auto"
                          data-picked={picked().includes(option.label) ? "" : undefined}
                        >
                          <VisibleText text={option.label} />
                          <Show when={picked().includes(option.label)}>
                            <span class="visually-hidden"> {t("question.picked")}</span>
                          </Show>
                        </li>
                      )}
                    </For>
                  </ul>
                  <Show when={other()}>
                    {(text) => (
                      <p class="asked-other" dir="auto">
                        <VisibleText text={text()} />
                      </p>
                    )}
                  </Show>
                </dd>
              </div>
            );
          }}
        </For>
      </dl>
      <Show when={props.row.result?.isError === true && props.row.result}>
        {(result) => (
          <OutputText
            text={stringOf(result().content) ?? ""}
            foldKey={`${props.row.key}.result`}
            tone="error"
          />
        )}
      </Show>
    </Show>
  );
}
