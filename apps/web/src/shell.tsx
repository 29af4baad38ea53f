/** The house, once one is in: the list beside whatever is open, and above it what everybody must know. */
import { useLocation, useNavigate } from "@solidjs/router";
import {
  createEffect,
  createSignal,
  onCleanup,
  Show,
  Suspense,
  type Accessor,
  type JSX,
} from "solid-js";
import type { Effects, HttpClient } from "@lodge/client";
import type { Me } from "@lodge/protocol";
import { t } from "./i18n/t.ts";
import { createSessionList } from "./live/create-session-list.ts";
import { createStream } from "./live/create-stream.ts";
import { LodgeContext, type Lodge } from "./live/lodge-context.ts";
import { ConnectionBanner, IsolationBanner } from "./live/banners.tsx";
import { createSessionSearch } from "./sessions/create-session-search.ts";
import { SessionSidebar } from "./sessions/session-sidebar.tsx";
import { handleShortcut } from "./ui/shortcuts.ts";
import { ShortcutsDialog } from "./ui/shortcuts-dialog.tsx";

export function Shell(props: {
  readonly http: HttpClient;
  readonly effects: Effects;
  readonly me: Accessor<Me>;
  /** Asks anew who is here and what holds for everybody. */
  readonly refresh: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly children: JSX.Element;
}) {
  // oxlint-disable-next-line solid/reactivity -- given once
  const { http, effects, me, signOut } = props;
  const { stream, connection } = createStream({ http, effects });
  const lodge: Lodge = { http, effects, stream, me, signOut };
  const list = createSessionList({ http, stream });
  const search = createSessionSearch({ list, http, stream, effects });
  const navigate = useNavigate();
  const [areKeysShown, setAreKeysShown] = createSignal(false);
  // oxlint-disable-next-line solid/reactivity -- an event of the stream, not a reading of signals
  onCleanup(stream.onHello(() => void props.refresh()));
  const location = useLocation();
  /** Nothing is open: on a narrow page there is only the list. */
  const isListOnly = () => !/\/(new|components|sessions\/[^/]+)\/?$/.test(location.pathname);

  createEffect(() => {
    const state = connection();
    if (state.kind === "ended" && state.reason === "signed_out") void props.refresh();
  });

  /** The one that has waited longest, but not the one that is open. */
  const openNextThatNeedsMe = () => {
    const next = list
      .sessions()
      .findLast((item) => item.needsMe > 0 && !location.pathname.endsWith(item.id));
    if (next !== undefined) navigate(`/sessions/${next.id}`);
  };
  const onKeyDown = (event: KeyboardEvent) =>
    handleShortcut(event, [
      { key: "?", act: () => setAreKeysShown(true) },
      { key: "c", act: () => navigate("/new") },
      { key: "/", act: () => document.querySelector<HTMLElement>("#session-search")?.focus() },
      { key: "n", act: openNextThatNeedsMe },
    ]);
  document.addEventListener("keydown", onKeyDown);
  onCleanup(() => document.removeEventListener("keydown", onKeyDown));

  return (
    <LodgeContext.Provider value={lodge}>
      <a class="skip" href="#main">
        {t("app.skip")}
      </a>
      <div class="shell" data-list-only={isListOnly() ? "" : undefined}>
        <aside class="banners" aria-label={t("banner.label")}>
          <Show when={me().isolation === "none"}>
            <IsolationBanner />
          </Show>
          <ConnectionBanner connection={connection()} onRetry={stream.reconnect} />
        </aside>
        <SessionSidebar
          search={search}
          isAlone={isListOnly()}
          onShowKeys={() => setAreKeysShown(true)}
        />
        <main id="main" class="main" tabindex="-1">
          <Suspense>{props.children}</Suspense>
        </main>
        <ShortcutsDialog isOpen={areKeysShown()} onClose={() => setAreKeysShown(false)} />
      </div>
    </LodgeContext.Provider>
  );
}
