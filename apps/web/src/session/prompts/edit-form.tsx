/** Changes to what a tool would be given, before it is allowed. Enter makes lines; only the button answers. */
import { createUniqueId, For, Match, onMount, Show, Switch } from "solid-js";
import { createStore } from "solid-js/store";
import { t } from "../../i18n/t.ts";
import { revealHidden } from "../../ui/reveal-hidden.ts";
import { VisibleText } from "../../ui/visible-text.tsx";
import { Button } from "../../ui/button.tsx";
import { editFields, readEdited, type EditField } from "./edit-input.ts";

const MOST_ROWS = 14;

export function EditForm(props: {
  readonly input: Readonly<Record<string, unknown>>;
  readonly isOff: boolean;
  readonly onAllow: (input: Readonly<Record<string, unknown>>) => void;
  readonly onBack: () => void;
}) {
  const id = createUniqueId();
  // oxlint-disable-next-line solid/reactivity -- where one begins; then it is the person's
  const original = props.input;
  const [fields, setFields] = createStore<{ -readonly [K in keyof EditField]: EditField[K] }[]>([
    ...editFields(original),
  ]);
  const edited = () => readEdited(original, fields);
  const faultOf = (name: string) => {
    const result = edited();
    return result.kind === "wrong" ? (result.faults[name] ?? null) : null;
  };
  const isReady = () => {
    const result = edited();
    return result.kind === "ready" && result.isChanged;
  };
  let form: HTMLDivElement | undefined;
  onMount(() => {
    form?.querySelector<HTMLElement>("textarea, input")?.focus({ preventScroll: true });
    form?.scrollIntoView?.({ block: "nearest" });
  });

  function allow() {
    const result = edited();
    if (result.kind === "ready" && result.isChanged) props.onAllow(result.input);
  }

  return (
    <div
      class="edit-form"
      ref={form}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onBack();
      }}
    >
      <For each={fields}>
        {(field, index) => (
          <div class="field">
            <label for={`${id}-${index()}`}>
              <VisibleText text={field.name} />
            </label>
            <Control
              id={`${id}-${index()}`}
              field={field}
              isWrong={faultOf(field.name) !== null}
              onWrite={(text) => setFields(index(), "text", text)}
            />
            <Hidden text={field.text} />
            <p class="form-error" id={`${id}-${index()}-error`} role="status">
              <Show when={faultOf(field.name)}>{(why) => t("edit.wrong", why())}</Show>
            </p>
          </div>
        )}
      </For>
      <div class="prompt-acts">
        <Button tone="quiet" onClick={() => props.onBack()}>
          {t("prompt.back")}
        </Button>
        <Button tone="primary" isOff={props.isOff || !isReady()} onClick={allow}>
          {t("edit.allow")}
        </Button>
      </div>
    </div>
  );
}

function Control(props: {
  readonly id: string;
  readonly field: EditField;
  readonly isWrong: boolean;
  readonly onWrite: (text: string) => void;
}) {
  return (
    <Switch
      fallback={
        <textarea
          id={props.id}
          class="mono"
          dir="ltr"
          spellcheck={false}
          autocapitalize="none"
          rows={Math.min(MOST_ROWS, props.field.text.split("\n").length)}
          aria-invalid={props.isWrong}
          aria-describedby={`${props.id}-error`}
          value={props.field.text}
          onInput={(event) => props.onWrite(event.currentTarget.value)}
        />
      }
    >
      <Match when={props.field.kind === "boolean"}>
        <input
          id={props.id}
          type="checkbox"
          checked={props.field.text === "true"}
          onChange={(event) => props.onWrite(String(event.currentTarget.checked))}
        />
      </Match>
      <Match when={props.field.kind === "number"}>
        <input
          id={props.id}
          inputmode="decimal"
          aria-invalid={props.isWrong}
          aria-describedby={`${props.id}-error`}
          value={props.field.text}
          onInput={(event) => props.onWrite(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      </Match>
    </Switch>
  );
}

/** A field to write in cannot mark what is invisible: it is said beside it. */
function Hidden(props: { readonly text: string }) {
  const names = () => [
    ...new Set(
      revealHidden(props.text).flatMap((piece) => (piece.kind === "hidden" ? [piece.name] : [])),
    ),
  ];
  return (
    <Show when={names().length > 0}>
      <p class="prompt-more">{t("edit.hidden", names().join(", "))}</p>
    </Show>
  );
}
