/** The first admin. The one-time secret comes in the fragment, which browsers do not send anywhere. */
import { createSignal, Show } from "solid-js";
import { type ApiError, type HttpClient } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Field } from "../ui/field.tsx";
import { readField } from "../ui/read-field.ts";
import { EntryCard } from "./entry-card.tsx";

const SHORTEST_PASSWORD = 12;

export function SetupPage(props: {
  readonly http: Pick<HttpClient, "setup">;
  /** The fragment without its "#". */
  readonly secret: string;
  readonly onSignedIn: () => Promise<void>;
}) {
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const name = readField(form, "name").trim();
    setIsBusy(true);
    setError(null);
    try {
      await props.http.setup({
        secret: props.secret,
        login: readField(form, "login"),
        password: readField(form, "password"),
        ...(name === "" ? {} : { name }),
      });
      await props.onSignedIn();
    } catch (failure) {
      setError(failure as ApiError);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <EntryCard title={t("setup.title")}>
      <Show when={props.secret !== ""} fallback={<p>{t("setup.noSecret")}</p>}>
        <p class="hint">{t("setup.explain")}</p>
        <form class="stack" onSubmit={(event) => void submit(event)}>
          <Field label={t("setup.login")} hint={t("setup.loginHint")}>
            {(id, hintId) => (
              <input
                id={id}
                aria-describedby={hintId}
                name="login"
                autocomplete="username"
                autocapitalize="none"
                spellcheck={false}
                required
                autofocus
              />
            )}
          </Field>
          <Field label={t("setup.name")}>
            {(id) => <input id={id} name="name" autocomplete="name" maxlength={100} />}
          </Field>
          <Field label={t("setup.password")} hint={t("setup.passwordHint", SHORTEST_PASSWORD)}>
            {(id, hintId) => (
              <input
                id={id}
                aria-describedby={hintId}
                name="password"
                type="password"
                autocomplete="new-password"
                minlength={SHORTEST_PASSWORD}
                maxlength={128}
                required
              />
            )}
          </Field>
          <p class="form-error" role="alert">
            <Show when={error()}>{(failure) => describeError(failure())}</Show>
          </p>
          <Button type="submit" tone="primary" isBusy={isBusy()}>
            {t("setup.submit")}
          </Button>
        </form>
      </Show>
    </EntryCard>
  );
}
