/** The page's frame: who is here decides whether there is a house or only its door. */
import { Route, Router } from "@solidjs/router";
import { createMemo, lazy, Match, onCleanup, Suspense, Switch, type JSX } from "solid-js";
import type { Effects, HttpClient } from "@lodge/client";
import { createCurrentUser } from "./auth/create-current-user.ts";
import { LoginPage } from "./auth/login-page.tsx";
import { t } from "./i18n/t.ts";
import { forgetDrafts } from "./session/composer/create-draft.ts";
import { HomePage } from "./sessions/home-page.tsx";
import { Shell } from "./shell.tsx";
import { Button } from "./ui/button.tsx";
import { describeError } from "./ui/describe-error.ts";

// What is not needed to see the house comes when somebody goes there.
const SetupPage = lazy(async () => ({
  default: (await import("./auth/setup-page.tsx")).SetupPage,
}));
const SessionPage = lazy(async () => ({
  default: (await import("./session/session-page.tsx")).SessionPage,
}));
const NewSessionPage = lazy(async () => ({
  default: (await import("./sessions/new-session-page.tsx")).NewSessionPage,
}));
const ComponentsPage = lazy(async () => ({
  default: (await import("./ui/components-page.tsx")).ComponentsPage,
}));

export function App(props: {
  readonly basePath: string;
  readonly http: HttpClient;
  readonly effects: Effects;
}) {
  // oxlint-disable-next-line solid/reactivity -- given once
  const current = createCurrentUser(props.http);
  const me = createMemo(() => {
    const user = current.user();
    return user.kind === "signed-in" ? user.me : null;
  });
  const setupSecret = () => {
    const { pathname, hash } = window.location;
    return pathname === `${props.basePath}/setup` ? hash.slice(1) : null;
  };
  const unreachable = () => {
    const user = current.user();
    return user.kind === "unreachable" ? user.error : null;
  };

  async function signOut() {
    await current.signOut();
    forgetDrafts(localStorage);
  }
  async function enterFromSetup() {
    // The secret is used up: it has no business in the address any more.
    window.history.replaceState(null, "", `${props.basePath}/`);
    await current.refresh();
  }
  const wake = () => {
    if (current.user().kind === "unreachable") void current.refresh();
  };
  window.addEventListener("online", wake);
  onCleanup(() => window.removeEventListener("online", wake));

  const Root = (root: { readonly children?: JSX.Element }) => (
    <Switch>
      {/* By id: the same person again finds everything as it was. */}
      <Match when={me()?.id} keyed>
        {(_id) => (
          <Shell
            http={props.http}
            effects={props.effects}
            me={() => me() as NonNullable<ReturnType<typeof me>>}
            refresh={current.refresh}
            signOut={signOut}
          >
            {root.children}
          </Shell>
        )}
      </Match>
      <Match when={unreachable()}>
        {(error) => (
          <main class="blank">
            <h1>{t("app.unreachable")}</h1>
            <p role="alert">{describeError(error())}</p>
            <Button onClick={() => void current.refresh()}>{t("app.tryAgain")}</Button>
          </main>
        )}
      </Match>
      <Match when={current.user().kind === "signed-out" && setupSecret() !== null}>
        <Suspense>
          <SetupPage http={props.http} secret={setupSecret() ?? ""} onSignedIn={enterFromSetup} />
        </Suspense>
      </Match>
      <Match when={current.user().kind === "signed-out"}>
        <LoginPage http={props.http} onSignedIn={current.refresh} />
      </Match>
    </Switch>
  );

  return (
    <Router base={props.basePath} root={Root}>
      <Route path="/" component={HomePage} />
      <Route path="/new" component={NewSessionPage} />
      <Route path="/sessions/:id" component={SessionPage} />
      <Route path="/components" component={ComponentsPage} />
      <Route path="*" component={HomePage} />
    </Router>
  );
}
