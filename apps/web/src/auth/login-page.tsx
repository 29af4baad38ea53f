import { createSignal, Show } from "solid-js";
import { type ApiError, type HttpClient } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Field } from "../ui/field.tsx";
import { readField } from "../ui/read-field.ts";
import { EntryCard } from "./entry-card.tsx";

export function LoginPage(props: {
  readonly http: Pick<HttpClient, "login">;
  readonly onSignedIn: () => Promise<void>;
}) {
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setIsBusy(true);
    setError(null);
    try {
      await props.http.login({
        login: readField(form, "login"),
        password: readField(form, "password"),
      });
      await props.onSignedIn();
    } catch (failure) {
      setError(failure as ApiError);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <EntryCard title={t("login.title")}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <Field label={t("login.login")}>
          {(id) => (
            <input
              id={id}
              name="login"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              required
              autofocus
            />
          )}
        </Field>
        <Field label={t("login.password")}>
          {(id) => (
            <input
              id={id}
              name="password"
              type="password"
              autocomplete="current-password"
              required
            />
          )}
        </Field>
        <p class="form-error" role="alert">
          <Show when={error()}>{(failure) => describeError(failure())}</Show>
        </p>
        <Button type="submit" tone="primary" isBusy={isBusy()}>
          {t("login.submit")}
        </Button>
      </form>
      <p class="hint">{t("login.firstTime")}</p>
    </EntryCard>
  );
}
