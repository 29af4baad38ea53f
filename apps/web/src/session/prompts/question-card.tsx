/** Claude asks the person something: options to pick from, and always room for words of one's own. */
import { createSignal, createUniqueId, For, Index, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { CardProps } from "./card-props.ts";
import { createAnswer } from "./create-answer.ts";
import { PermissionCard } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";
import {
  encodeAnswers,
  isAnswered,
  NO_CHOICE,
  parseQuestions,
  type Choice,
  type Question,
} from "./question.ts";

export function QuestionCard(props: CardProps) {
  return (
    <Show when={parseQuestions(props.prompt.input)} fallback={<PermissionCard {...props} />}>
      {(questions) => <QuestionForm {...props} questions={questions()} />}
    </Show>
  );
}

function QuestionForm(props: CardProps & { readonly questions: readonly Question[] }) {
  const room = useSessionRoom();
  const answer = createAnswer({
    prompt: () => props.prompt,
    send: room.session.answer,
    isArmed: () => props.isArmed(),
    onAnswered: () => props.onAnswered(),
  });
  const [choices, setChoices] = createStore<Choice[]>([]);
  const choiceOf = (index: number) => choices[index] ?? NO_CHOICE;
  const isComplete = () => props.questions.every((_, index) => isAnswered(choiceOf(index)));

  const submit = () => {
    if (!isComplete()) return;
    const updatedInput = {
      ...props.prompt.input,
      answers: encodeAnswers(props.questions, choices),
    };
    answer.give({ behavior: "allow", updatedInput });
  };

  return (
    <PromptCard prompt={props.prompt} heading={t("question.title")} phase={answer.phase()}>
      <For each={props.questions}>
        {(question, index) => (
          <QuestionFields
            question={question}
            choice={choiceOf(index())}
            onChoose={(choice) => setChoices(index(), choice)}
          />
        )}
      </For>
      <div class="prompt-acts">
        <Button
          isOff={answer.isOff()}
          onClick={() => answer.give({ behavior: "deny", message: t("question.dismissed") })}
        >
          {t("question.dismiss")}
        </Button>
        <Button tone="primary" isOff={answer.isOff() || !isComplete()} onClick={submit}>
          {t("question.submit")}
        </Button>
      </div>
    </PromptCard>
  );
}

function QuestionFields(props: {
  readonly question: Question;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}) {
  const id = createUniqueId();
  const pick = (label: string, isPicked: boolean) => {
    const others = props.choice.labels.filter((other) => other !== label);
    const labels =
      props.question.isMultiple && isPicked ? [...others, label] : isPicked ? [label] : others;
    // Of a single choice, an own answer is one of the options.
    props.onChoose({ labels, other: props.question.isMultiple ? props.choice.other : "" });
  };
  /** The option whose preview is in sight: the one pointed at, else the one picked. */
  const [looked, setLooked] = createSignal<string | null>(null);
  const previewed = () =>
    props.question.options.find(
      ({ label, preview }) =>
        preview !== "" && label === (looked() ?? props.choice.labels.at(-1) ?? firstPreview()),
    ) ?? null;
  const firstPreview = () =>
    props.question.options.find(({ preview }) => preview !== "")?.label ?? null;
  const write = (other: string) =>
    props.onChoose({ labels: props.question.isMultiple ? props.choice.labels : [], other });

  return (
    <fieldset class="question">
      <legend>
        <Show when={props.question.header}>
          <span class="tag">
            <VisibleText text={props.question.header} />
          </span>
        </Show>
        <VisibleText text={props.question.question} />
      </legend>
      <Index each={props.question.options}>
        {(option, index) => (
          <label
            class="option"
            for={`${id}-${index}`}
            onPointerEnter={() => setLooked(option().label)}
            onPointerLeave={() => setLooked(null)}
            onFocusIn={() => setLooked(option().label)}
            onFocusOut={() => setLooked(null)}
          >
            <input
              id={`${id}-${index}`}
              type={props.question.isMultiple ? "checkbox" : "radio"}
              name={id}
              checked={props.choice.labels.includes(option().label)}
              onChange={(event) => pick(option().label, event.currentTarget.checked)}
            />
            <span>
              <VisibleText text={option().label} />
              <Show when={option().description}>
                <span class="hint">
                  <VisibleText text={option().description} />
                </span>
              </Show>
            </span>
          </label>
        )}
      </Index>
      <Show when={previewed()}>
        {(option) => (
          <pre
            class="question-preview"
            tabindex="0"
            role="group"
            aria-label={t("question.preview", option().label)}
          >
            <VisibleText text={option().preview} />
          </pre>
        )}
      </Show>
      <label class="other" for={`${id}-other`}>
        <span>{t("question.other")}</span>
        <textarea
          id={`${id}-other`}
          rows={1}
          dir="auto"
          value={props.choice.other}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
    </fieldset>
  );
}
