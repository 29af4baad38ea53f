/** One session: its transcript, what it asks, and where one writes to it. */
import { useParams } from "@solidjs/router";
import {
  createEffect,
  createMemo,
  createSignal,
  ErrorBoundary,
  lazy,
  onCleanup,
  onMount,
  Show,
  Suspense,
} from "solid-js";
import { t } from "../i18n/t.ts";
import { createNow } from "../live/create-now.ts";
import { createSession } from "../live/create-session.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Button } from "../ui/button.tsx";
import { handleShortcut } from "../ui/shortcuts.ts";
import { Composer } from "./composer/composer.tsx";
import { createStop } from "./composer/create-stop.ts";
import { Queue, type QueueHandle } from "./composer/queue.tsx";
import { SessionContext, useSessionRoom, type SessionRoom } from "./session-context.ts";
import { SessionGone } from "./session-gone.tsx";
import { SessionHeader } from "./session-header.tsx";
import { StatusLine } from "./status-line.tsx";
import { TranscriptView } from "./transcript/transcript-view.tsx";

const PRELOAD_AFTER_MS = 1_500;
const PromptList = lazy(async () => ({
  default: (await import("./prompts/prompt-list.tsx")).PromptList,
}));

export function SessionPage() {
  const params = useParams<{ id: string }>();
  // By key: another session is another room, with nothing left over from this one.
  return (
    <Show when={params.id} keyed>
      {(id) => <Room sessionId={id} />}
    </Show>
  );
}

function Room(props: { readonly sessionId: string }) {
  const lodge = useLodge();
  // oxlint-disable-next-line solid/reactivity -- a room is made for one session
  const { sessionId } = props;
  const session = createSession({
    sessionId,
    source: lodge.stream,
    http: lodge.http,
    effects: lodge.effects,
  });
  const room: SessionRoom = {
    session,
    now: createNow(session.serverNow),
    readBlob: (id) => lodge.http.readBlob(sessionId, id),
    nameOf: (userId) => (userId === lodge.me().id ? t("who.you") : userId),
  };
  const isGone = () => {
    const connection = session.connection();
    return connection.kind === "ended" && connection.reason === "session_gone";
  };

  createEffect(() => {
    document.title = `${session.state().config.title ?? t("session.untitled")} · ${t("app.name")}`;
  });
  // Leaving now would lose what is not with the server yet.
  const hold = (event: BeforeUnloadEvent) => {
    if (session.outgoing().length > 0) event.preventDefault();
  };
  window.addEventListener("beforeunload", hold);
  onCleanup(() => window.removeEventListener("beforeunload", hold));

  return (
    <SessionContext.Provider value={room}>
      <Show when={!isGone()} fallback={<SessionGone />}>
        <div class="session">
          <SessionHeader />
          <TranscriptView />
          <Foot draftKey={`${lodge.me().id}:${sessionId}`} />
        </div>
      </Show>
    </SessionContext.Provider>
  );
}

/** What one acts with: prompts, the queue, and where one writes. */
function Foot(props: { readonly draftKey: string }) {
  const stop = createStop();
  // The same text may come back twice.
  const [takenBack, setTakenBack] = createSignal("", { equals: false });
  let queue: QueueHandle | undefined;
  let foot: HTMLDivElement | undefined;

  const focusPrompt = () => {
    const region = foot?.querySelector<HTMLElement>(".prompts");
    region?.focus();
    region?.scrollIntoView?.({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    // There, Escape means the field one is in.
    if (event.key === "Escape" && target?.closest(".prompts, .queue, .sidebar")) return;
    handleShortcut(event, [
      { key: "Escape", isEverywhere: true, act: stop.step },
      { key: "i", act: () => foot?.querySelector<HTMLElement>(".composer-field")?.focus() },
      { key: "p", act: focusPrompt },
      {
        key: "m",
        act: () => foot?.querySelector<HTMLElement>("[data-picker=mode] button")?.click(),
      },
    ]);
  };
  document.addEventListener("keydown", onKeyDown);
  onCleanup(() => document.removeEventListener("keydown", onKeyDown));

  return (
    <div class="session-foot" ref={foot}>
      <Prompts />
      <Queue
        onTakeBack={setTakenBack}
        ref={(handle) => {
          queue = handle;
        }}
      />
      <Composer
        draftKey={props.draftKey}
        storage={localStorage}
        isTouch={matchMedia("(pointer: coarse)").matches}
        takenBack={takenBack()}
        stop={stop}
        onEditLast={() => queue?.editLast()}
      />
      <StatusLine />
    </div>
  );
}

/** From the first prompt on. Their file is fetched as soon as the page has time, not only when one is there. */
function Prompts() {
  const { session } = useSessionRoom();
  const hasAny = createMemo<boolean>((had) => had || session.state().prompts.length > 0, false);
  onMount(() => {
    const timer = setTimeout(() => void PromptList.preload(), PRELOAD_AFTER_MS);
    onCleanup(() => clearTimeout(timer));
  });
  return (
    <Show when={hasAny()}>
      <ErrorBoundary fallback={<PromptsMissing />}>
        <Suspense fallback={<p role="status">{t("prompt.loading")}</p>}>
          <PromptList prompts={session.state().prompts} cwd={session.state().run?.cwd ?? null} />
        </Suspense>
      </ErrorBoundary>
    </Show>
  );
}

/** A page of yesterday's, whose files the server has no more. */
function PromptsMissing() {
  return (
    <div class="prompts-missing" role="alert">
      <p>{t("prompt.missing")}</p>
      <Button onClick={() => window.location.reload()}>{t("prompt.reload")}</Button>
    </div>
  );
}
