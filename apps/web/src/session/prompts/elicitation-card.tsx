/** An MCP server asks: a form of its own, or a page to be visited. It can be answered, declined or cancelled. */
import { createUniqueId, For, Match, Show, Switch } from "solid-js";
import { createStore } from "solid-js/store";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { CardProps } from "./card-props.ts";
import { createAnswer } from "./create-answer.ts";
import {
  encodeElicitation,
  faultOf,
  parseElicitation,
  type Elicitation,
  type ElicitationField,
  type FieldValue,
} from "./elicitation.ts";
import { PermissionCard } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";

export function ElicitationCard(props: CardProps) {
  return (
    <Show when={parseElicitation(props.prompt.input)} fallback={<PermissionCard {...props} />}>
      {(asked) => <Asked {...props} asked={asked()} />}
    </Show>
  );
}

function Asked(props: CardProps & { readonly asked: Elicitation }) {
  const room = useSessionRoom();
  const answer = createAnswer({
    prompt: () => props.prompt,
    send: room.session.answer,
    isArmed: () => props.isArmed(),
    onAnswered: () => props.onAnswered(),
  });
  const [values, setValues] = createStore<Record<string, FieldValue>>({});
  const fields = () => (props.asked.kind === "form" ? props.asked.fields : []);
  const url = () => (props.asked.kind === "url" ? props.asked.url : null);
  const valueOf = (field: ElicitationField) => values[field.name] ?? field.initial;
  const isComplete = () => fields().every((field) => faultOf(field, valueOf(field)) === null);

  const accept = () => {
    if (!isComplete()) return;
    const updatedInput = { ...encodeElicitation(fields(), values) };
    answer.give({ behavior: "allow", updatedInput });
  };

  return (
    <PromptCard
      prompt={props.prompt}
      heading={t("elicitation.title", props.asked.server)}
      phase={answer.phase()}
    >
      <p class="elicitation-message">
        <VisibleText text={props.asked.message} />
      </p>
      <Show when={url()}>
        {(address) => (
          <div class="elicitation-url">
            <pre>
              <VisibleText text={address()} />
            </pre>
            <p class="hint">{t("elicitation.urlHint", new URL(address()).host)}</p>
            <a class="button" href={address()} target="_blank" rel="noopener noreferrer">
              {t("elicitation.open")}
            </a>
          </div>
        )}
      </Show>
      <For each={fields()}>
        {(field) => (
          <FormField
            field={field}
            value={valueOf(field)}
            isWritten={values[field.name] !== undefined}
            onWrite={(value) => setValues(field.name, value)}
          />
        )}
      </For>
      <div class="prompt-acts">
        <Button
          tone="quiet"
          isOff={answer.isOff()}
          onClick={() => answer.give({ behavior: "deny", interrupt: true })}
        >
          {t("elicitation.cancel")}
        </Button>
        <Button isOff={answer.isOff()} onClick={() => answer.give({ behavior: "deny" })}>
          {t("elicitation.decline")}
        </Button>
        <Button tone="primary" isOff={answer.isOff() || !isComplete()} onClick={accept}>
          {t(url() === null ? "elicitation.accept" : "elicitation.done")}
        </Button>
      </div>
    </PromptCard>
  );
}

type FieldProps = {
  readonly field: ElicitationField;
  readonly value: FieldValue;
  /** Nobody is told what is wrong with a field they did not come to yet. */
  readonly isWritten: boolean;
  readonly onWrite: (value: FieldValue) => void;
};

function FormField(props: FieldProps) {
  const id = createUniqueId();
  const fault = () => (props.isWritten ? faultOf(props.field, props.value) : null);
  const isSingle = () => props.field.kind !== "boolean" && props.field.kind !== "choices";
  return (
    <div class="field">
      <Show when={isSingle()}>
        <label for={id}>
          <VisibleText text={props.field.title} />
          <Show when={props.field.isRequired}>
            <span class="hint"> {t("elicitation.required")}</span>
          </Show>
        </label>
      </Show>
      <FieldControl {...props} id={id} isWrong={fault() !== null} />
      <Show when={props.field.description}>
        <p class="hint" id={`${id}-hint`}>
          <VisibleText text={props.field.description} />
        </p>
      </Show>
      <p class="form-error" id={`${id}-fault`} role="status">
        <Show when={fault()}>{(what) => t(`elicitation.fault.${what()}`)}</Show>
      </p>
    </div>
  );
}

const INPUT_TYPES = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" };

function FieldControl(props: FieldProps & { readonly id: string; readonly isWrong: boolean }) {
  const options = () => ("options" in props.field ? props.field.options : []);
  const text = () => (typeof props.value === "string" ? props.value : "");
  const picked = () => (Array.isArray(props.value) ? (props.value as readonly string[]) : []);
  const type = () =>
    props.field.kind === "text" && props.field.format !== null
      ? INPUT_TYPES[props.field.format]
      : "text";
  const describedBy = () => `${props.id}-hint ${props.id}-fault`;
  return (
    <Switch
      fallback={
        <input
          id={props.id}
          type={type()}
          inputmode={props.field.kind === "number" ? "decimal" : undefined}
          dir="auto"
          autocomplete="off"
          value={text()}
          aria-required={props.field.isRequired}
          aria-invalid={props.isWrong}
          aria-describedby={describedBy()}
          onInput={(event) => props.onWrite(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      }
    >
      <Match when={props.field.kind === "boolean"}>
        <label class="option">
          <input
            type="checkbox"
            checked={props.value === true}
            onChange={(event) => props.onWrite(event.currentTarget.checked)}
          />
          <VisibleText text={props.field.title} />
        </label>
      </Match>
      <Match when={props.field.kind === "choice"}>
        <select
          id={props.id}
          aria-required={props.field.isRequired}
          aria-describedby={describedBy()}
          onChange={(event) => props.onWrite(event.currentTarget.value)}
        >
          <option value="" selected={text() === ""}>
            {t("elicitation.choose")}
          </option>
          <For each={options()}>
            {(option) => (
              <option value={option.value} selected={option.value === text()}>
                {option.label}
              </option>
            )}
          </For>
        </select>
      </Match>
      <Match when={props.field.kind === "choices"}>
        <fieldset class="question">
          <legend>
            <VisibleText text={props.field.title} />
          </legend>
          <For each={options()}>
            {(option) => (
              <label class="option">
                <input
                  type="checkbox"
                  checked={picked().includes(option.value)}
                  onChange={(event) =>
                    props.onWrite(
                      event.currentTarget.checked
                        ? [...picked(), option.value]
                        : picked().filter((value) => value !== option.value),
                    )
                  }
                />
                <VisibleText text={option.label} />
              </label>
            )}
          </For>
        </fieldset>
      </Match>
    </Switch>
  );
}
