import { A, useParams } from "@solidjs/router";
import { createEffect, createSignal, For, Match, Show, Switch } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { createNow } from "../live/create-now.ts";
import type { SessionList } from "../live/create-session-list.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Mark } from "../ui/mark.tsx";
import { SessionItem } from "./session-item.tsx";

export function SessionSidebar(props: {
  readonly list: SessionList;
  /** Nothing is open beside it: the list is what the page is about. */
  readonly isAlone: boolean;
}) {
  const lodge = useLodge();
  const params = useParams<{ id?: string }>();
  // oxlint-disable-next-line solid/reactivity -- a clock, not a signal
  const now = createNow(lodge.effects.now);
  const [signOutError, setSignOutError] = createSignal<ApiError | null>(null);
  async function signOut() {
    setSignOutError(null);
    try {
      await lodge.signOut();
    } catch (failure) {
      // Still signed in, then, and told so: leaving the page would not end the login.
      setSignOutError(failure instanceof ApiError ? failure : null);
    }
  }
  const waiting = () => props.list.sessions().filter((item) => item.needsMe > 0).length;
  createEffect(() => {
    if (params.id !== undefined) return;
    document.title = waiting() > 0 ? `(${waiting()}) ${t("app.name")}` : t("app.name");
  });

  return (
    <nav class="sidebar" aria-label={t("list.title")}>
      <Show when={props.isAlone}>
        <h1 class="visually-hidden">{t("list.title")}</h1>
      </Show>
      <header class="sidebar-head">
        <A href="/" class="brand">
          <Mark /> {t("app.name")}
        </A>
        <A href="/new" class="button" data-tone="primary">
          {t("list.new")}
        </A>
      </header>
      <div class="sidebar-list">
        <Switch>
          <Match when={props.list.phase() === "loading"}>
            <p class="empty" role="status">
              {t("list.loading")}
            </p>
          </Match>
          <Match when={props.list.phase() === "failed"}>
            <div class="empty">
              <p role="alert">
                <Show when={props.list.error()} fallback={t("list.failed")}>
                  {(error) => describeError(error())}
                </Show>
              </p>
              <Button onClick={() => void props.list.reload()}>{t("list.retry")}</Button>
            </div>
          </Match>
          <Match when={props.list.sessions().length === 0}>
            <p class="empty">{t("list.empty")}</p>
          </Match>
        </Switch>
        <ul>
          <For each={props.list.sessions()}>
            {(item) => <SessionItem item={item} now={now()} />}
          </For>
        </ul>
        <Show when={props.list.hasMore()}>
          <Button tone="quiet" onClick={() => void props.list.loadMore()}>
            {t("list.more")}
          </Button>
        </Show>
      </div>
      <footer class="sidebar-foot">
        <span class="who" title={lodge.me().login}>
          {lodge.me().name}
        </span>
        <Show when={signOutError()}>
          {(error) => <span role="alert">{describeError(error())}</span>}
        </Show>
        <Button tone="quiet" onClick={() => void signOut()}>
          {t("auth.signOut")}
        </Button>
      </footer>
    </nav>
  );
}
