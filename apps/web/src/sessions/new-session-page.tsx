import { A, useNavigate } from "@solidjs/router";
import { createSignal, createUniqueId, For, onMount, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { EFFORTS, type CreateSessionBody, type Effort, type PermissionMode } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { createDraft } from "../session/composer/create-draft.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { readField } from "../ui/read-field.ts";

/** What a person may begin with. Bypassing prompts is no way to begin. */
const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];
/** What a CLI offers is only known once it runs; these it has always taken. */
const MODEL_ALIASES = ["opus", "sonnet", "haiku"];

export function NewSessionPage() {
  const { http, effects, me } = useLodge();
  const navigate = useNavigate();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const draft = createDraft(localStorage, `${me().id}:new`);
  // One id for this form, so that a request made twice makes one session.
  const id = effects.newId();
  let prompt: HTMLTextAreaElement | undefined;

  onMount(() => {
    document.title = `${t("new.title")} · ${t("app.name")}`;
    prompt?.focus();
  });

  async function submit(form: HTMLFormElement) {
    if (isBusy()) return;
    setIsBusy(true);
    setError(null);
    try {
      const made = await http.createSession(readForm(id, new FormData(form)));
      draft.setText("");
      navigate(`/sessions/${made.id}`);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
      setIsBusy(false);
    }
  }

  return (
    <div class="page">
      <header class="page-head">
        <A class="back" href="/" aria-label={t("session.backToList")}>
          <Icon name="back" />
        </A>
        <h1>{t("new.title")}</h1>
      </header>
      <form
        class="stack new-session"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <Field label={t("new.prompt")} hint={t("new.promptHint")}>
          {(field, hint) => (
            <textarea
              id={field}
              ref={prompt}
              name="prompt"
              rows={5}
              value={draft.text()}
              onInput={(event) => draft.setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
              dir="auto"
              aria-describedby={hint}
            />
          )}
        </Field>
        <ModeCards />
        <Field label={t("new.directory")} hint={t("new.directoryHint")}>
          {(field, hint) => (
            <input
              id={field}
              name="cwd"
              class="mono"
              placeholder={t("new.directoryDefault")}
              spellcheck={false}
              autocapitalize="none"
              autocomplete="off"
              pattern="/.*"
              title={t("new.directoryRule")}
              aria-describedby={hint}
            />
          )}
        </Field>
        <div class="field-row">
          <ModelField />
          <Field label={t("new.effort")} hint={t("new.effortHint")}>
            {(field, hint) => (
              <select id={field} name="effort" aria-describedby={hint}>
                <option value="">{t("effort.default")}</option>
                <For each={EFFORTS}>
                  {(effort) => <option value={effort}>{t(`effort.${effort}`)}</option>}
                </For>
              </select>
            )}
          </Field>
        </div>
        <p class="form-error" role="alert">
          <Show when={error()}>{(failure) => describeError(failure())}</Show>
        </p>
        <div class="form-acts">
          <Button type="submit" tone="primary" isBusy={isBusy()}>
            {t("new.submit")}
          </Button>
        </div>
      </form>
    </div>
  );
}

function ModeCards() {
  const id = createUniqueId();
  return (
    <fieldset class="field">
      <legend class="field-label">{t("new.mode")}</legend>
      <div class="choice-cards">
        <For each={MODES}>
          {(mode, index) => (
            <label class="choice-card">
              <input
                type="radio"
                name="permissionMode"
                value={mode}
                checked={index() === 0}
                aria-describedby={`${id}-${mode}`}
              />
              <span>
                <strong>{t(`mode.${mode}`)}</strong>
                <span class="hint" id={`${id}-${mode}`}>
                  {t(`mode.hint.${mode}`)}
                </span>
              </span>
            </label>
          )}
        </For>
      </div>
    </fieldset>
  );
}

/** A few names to pick from, or one's own. */
function ModelField() {
  const [isOther, setIsOther] = createSignal(false);
  const OTHER = "other";
  return (
    <Show
      when={isOther()}
      fallback={
        <Field label={t("new.model")}>
          {(field) => (
            <select
              id={field}
              name="model"
              onChange={(event) => {
                if (event.currentTarget.value === OTHER) setIsOther(true);
              }}
            >
              <option value="">{t("model.default")}</option>
              <For each={MODEL_ALIASES}>{(alias) => <option value={alias}>{alias}</option>}</For>
              <option value={OTHER}>{t("new.modelOther")}</option>
            </select>
          )}
        </Field>
      }
    >
      <Field label={t("new.modelName")}>
        {(field) => (
          <div class="with-act">
            <input
              id={field}
              name="model"
              ref={(input) => setTimeout(() => input.focus())}
              spellcheck={false}
              autocapitalize="none"
              autocomplete="off"
              pattern="[a-zA-Z0-9][a-zA-Z0-9._:\/@\-]*(\[1m\])?"
            />
            <IconButton icon="close" label={t("new.modelBack")} onClick={() => setIsOther(false)} />
          </div>
        )}
      </Field>
    </Show>
  );
}

/** The server names the session after its first message. */
function readForm(id: string, form: FormData): CreateSessionBody {
  const text = (name: string) => readField(form, name).trim();
  return {
    id,
    permissionMode: text("permissionMode") as PermissionMode,
    ...(text("prompt") === "" ? {} : { prompt: readField(form, "prompt") }),
    ...(text("cwd") === "" ? {} : { cwd: text("cwd") }),
    ...(text("model") === "" ? {} : { model: text("model") }),
    ...(text("effort") === "" ? {} : { effort: text("effort") as Effort }),
  };
}
