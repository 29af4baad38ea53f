/** The list of sessions: search, what to show, and every session with what it is doing. */
import { A } from "@solidjs/router";
import { createSignal, Match, Show, Switch } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { createNow } from "../live/create-now.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";
import { AccountMenu } from "./account-menu.tsx";
import type { SessionSearch } from "./create-session-search.ts";
import { createSessionActs } from "./session-acts.tsx";
import { FILTERS, type Filter } from "./session-filter.ts";
import { SessionItem } from "./session-item.tsx";
import { VirtualList } from "./virtual-list.tsx";

const ROW_HEIGHT_REM = 3.625;

export function SessionSidebar(props: {
  readonly search: SessionSearch;
  /** Nothing is open beside it: the list is what the page is about. */
  readonly isAlone: boolean;
  readonly onShowKeys: () => void;
}) {
  const lodge = useLodge();
  // oxlint-disable-next-line solid/reactivity -- a clock, not a signal
  const now = createNow(lodge.effects.now);
  // oxlint-disable-next-line solid/reactivity -- given once
  const acts = createSessionActs({ onChanged: props.search.put });
  const [signOutError, setSignOutError] = createSignal<ApiError | null>(null);
  const sessions = () => props.search.sessions();

  async function signOut() {
    setSignOutError(null);
    try {
      await lodge.signOut();
    } catch (failure) {
      // Still signed in, then, and told so: leaving the page would not end the login.
      setSignOutError(failure instanceof ApiError ? failure : null);
    }
  }

  return (
    <nav class="sidebar" aria-label={t("list.title")}>
      <header class="sidebar-head">
        <Show
          when={props.isAlone}
          fallback={
            <A href="/" class="brand">
              <Mark />
              {t("app.name")}
            </A>
          }
        >
          <h1 class="brand">
            <Mark />
            {t("app.name")}
          </h1>
        </Show>
        <A href="/new" class="button" data-tone="primary">
          <Icon name="plus" />
          {t("list.new")}
        </A>
      </header>
      <ListTools search={props.search} />
      <div class="sidebar-list">
        <VirtualList
          label={t("list.title")}
          items={sessions()}
          rowHeight={ROW_HEIGHT_REM}
          onNearEnd={() => {
            if (props.search.hasMore()) props.search.loadMore();
          }}
        >
          {(item) => (
            <Show when={item()}>
              {(there) => <SessionItem item={there()} now={now()} acts={acts} />}
            </Show>
          )}
        </VirtualList>
        <ListState search={props.search} />
      </div>
      <footer class="sidebar-foot">
        <acts.Dialogs />
        <Show when={signOutError()}>
          {(error) => (
            <p class="form-error" role="alert">
              {describeError(error())}
            </p>
          )}
        </Show>
        <AccountMenu onSignOut={() => void signOut()} onShowKeys={() => props.onShowKeys()} />
        <span class="hint sidebar-count">
          {t("list.count", sessions().length, props.search.hasMore())}
        </span>
      </footer>
    </nav>
  );
}

function ListTools(props: { readonly search: SessionSearch }) {
  return (
    <div class="sidebar-tools">
      <div class="search" role="search">
        <Icon name="search" />
        <input
          id="session-search"
          type="search"
          dir="auto"
          autocomplete="off"
          maxlength={200}
          placeholder={t("list.search")}
          aria-label={t("list.search")}
          value={props.search.query()}
          onInput={(event) => props.search.setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || props.search.query() === "") return;
            event.stopPropagation();
            props.search.setQuery("");
          }}
        />
        <Show when={props.search.query() !== ""}>
          <IconButton
            icon="close"
            label={t("list.clearSearch")}
            onClick={() => {
              props.search.setQuery("");
              document.querySelector<HTMLInputElement>("#session-search")?.focus();
            }}
          />
        </Show>
      </div>
      <label class="filter">
        <span class="visually-hidden">{t("list.filter")}</span>
        <select
          value={props.search.filter()}
          onChange={(event) => props.search.setFilter(event.currentTarget.value as Filter)}
        >
          {FILTERS.map((filter) => (
            <option value={filter}>{t(`list.filter.${filter}`)}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** What stands in the list's place while there is none, or none of this kind. */
function ListState(props: { readonly search: SessionSearch }) {
  const isEmpty = () => props.search.sessions().length === 0;
  const isSearching = () =>
    props.search.query().trim() !== "" || props.search.filter() !== "active";
  return (
    <div class="sidebar-state">
      <Switch>
        <Match when={props.search.phase() === "failed"}>
          <EmptyState
            icon="alert"
            tone="brick"
            act={<Button onClick={() => props.search.reload()}>{t("list.retry")}</Button>}
          >
            <Show when={props.search.error()} fallback={t("list.failed")}>
              {(error) => describeError(error())}
            </Show>
          </EmptyState>
        </Match>
        <Match when={isEmpty() && (props.search.phase() === "loading" || props.search.hasMore())}>
          <p class="visually-hidden" role="status">
            {t(isSearching() ? "list.looking" : "list.loading")}
          </p>
          <ul class="skeletons" aria-hidden="true">
            {[58, 74, 46, 66].map((width) => (
              <li>
                <span class="skeleton" style={{ width: `${width}%` }} />
                <span class="skeleton" style={{ width: `${width / 2}%` }} />
              </li>
            ))}
          </ul>
        </Match>
        <Match when={isEmpty() && isSearching()}>
          <EmptyState icon="search">{t(`list.nothing.${props.search.filter()}`)}</EmptyState>
        </Match>
        <Match when={isEmpty()}>
          <EmptyState icon="spark">{t("list.empty")}</EmptyState>
        </Match>
      </Switch>
    </div>
  );
}
