/** One session: its transcript, what it asks, and where one writes to it. */
import { useParams } from "@solidjs/router";
import { createEffect, createSignal, onCleanup, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { createNow } from "../live/create-now.ts";
import { createSession } from "../live/create-session.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Composer } from "./composer.tsx";
import { PromptList } from "./prompts/prompt-list.tsx";
import { Queue } from "./queue.tsx";
import { SessionContext, type SessionRoom } from "./session-context.ts";
import { SessionGone } from "./session-gone.tsx";
import { SessionHeader } from "./session-header.tsx";
import { StatusLine } from "./status-line.tsx";
import { TranscriptView } from "./transcript/transcript-view.tsx";

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
  // The same text may come back twice.
  const [takenBack, setTakenBack] = createSignal("", { equals: false });
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
          <div class="session-foot">
            <PromptList prompts={session.state().prompts} cwd={session.state().run?.cwd ?? null} />
            <Queue onTakeBack={setTakenBack} />
            <Composer
              draftKey={`${lodge.me().id}:${sessionId}`}
              storage={localStorage}
              isTouch={matchMedia("(pointer: coarse)").matches}
              takenBack={takenBack()}
            />
            <StatusLine />
          </div>
        </div>
      </Show>
    </SessionContext.Provider>
  );
}
