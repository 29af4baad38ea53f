import { A, useNavigate } from "@solidjs/router";
import { createSignal, For, onMount, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import type { CreateSessionBody, PermissionMode } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Field } from "../ui/field.tsx";
import { readField } from "../ui/read-field.ts";

/** What a person may begin with. Bypassing prompts is no way to begin. */
const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];
const MODEL_ALIASES = ["default", "opus", "sonnet", "haiku"];

export function NewSessionPage() {
  const { http, effects } = useLodge();
  const navigate = useNavigate();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
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
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M10 3 5 8l5 5" />
          </svg>
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
        <Field label={t("new.directory")} hint={t("new.directoryHint")}>
          {(field, hint) => (
            <input
              id={field}
              name="cwd"
              class="mono"
              placeholder={t("new.directoryDefault")}
              spellcheck={false}
              autocapitalize="none"
              pattern="/.*"
              title={t("new.directoryRule")}
              aria-describedby={hint}
            />
          )}
        </Field>
        <div class="field-row">
          <Field label={t("new.model")}>
            {(field) => (
              <>
                <input
                  id={field}
                  name="model"
                  list={`${field}-models`}
                  placeholder={t("model.default")}
                  spellcheck={false}
                  autocapitalize="none"
                />
                <datalist id={`${field}-models`}>
                  <For each={MODEL_ALIASES}>{(alias) => <option value={alias} />}</For>
                </datalist>
              </>
            )}
          </Field>
          <Field label={t("new.mode")}>
            {(field) => (
              <select id={field} name="permissionMode">
                <For each={MODES}>
                  {(mode) => <option value={mode}>{t(`mode.${mode}`)}</option>}
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

function readForm(id: string, form: FormData): CreateSessionBody {
  const text = (name: string) => readField(form, name).trim();
  const title = nameAfter(text("prompt"));
  return {
    id,
    ...(title === "" ? {} : { title }),
    permissionMode: text("permissionMode") as PermissionMode,
    ...(text("prompt") === "" ? {} : { prompt: readField(form, "prompt") }),
    ...(text("cwd") === "" ? {} : { cwd: text("cwd") }),
    ...(text("model") === "" ? {} : { model: text("model") }),
  };
}

const TITLE_LENGTH = 80;

/** A session is called by what it was begun with, until somebody calls it something else. */
function nameAfter(prompt: string): string {
  const line = (prompt.split("\n", 1)[0] ?? "").replace(/\p{C}+/gu, " ").trim();
  const characters = [...line];
  return characters.length > TITLE_LENGTH
    ? `${characters.slice(0, TITLE_LENGTH).join("").trimEnd()}…`
    : line;
}
