/**
 * The session list, live. Fetched whenever the stream (re)connects, then kept by its feed; what the
 * feed tells while a fetch is under way is newer than what the fetch brings.
 */
import { createSignal, onCleanup, onMount, type Accessor } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import { ApiError, type HttpClient, type StreamClient } from "@lodge/client";
import type { SessionListItem } from "@lodge/protocol";

export type SessionList = {
  /** Newest activity first. */
  readonly sessions: Accessor<readonly SessionListItem[]>;
  readonly phase: Accessor<"loading" | "ready" | "failed">;
  readonly error: Accessor<ApiError | null>;
  readonly hasMore: Accessor<boolean>;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** What one just did oneself is shown at once; the feed will say the same. */
  readonly put: (item: SessionListItem) => void;
};

export function createSessionList(options: {
  readonly http: Pick<HttpClient, "listSessions">;
  readonly stream: Pick<StreamClient, "onHello" | "onListItem">;
}): SessionList {
  const [byId, setById] = createStore<Record<string, SessionListItem>>({});
  const [phase, setPhase] = createSignal<"loading" | "ready" | "failed">("loading");
  const [error, setError] = createSignal<ApiError | null>(null);
  const [cursor, setCursor] = createSignal<string | null>(null);
  /** Told by the feed since the fetch under way began. */
  let told: Set<string> | null = null;

  /** Into the item that is there: a row that is only updated keeps its element and its focus. */
  const put = (item: SessionListItem) => {
    if (item.deleted || item.archived) setById(produce((items) => void delete items[item.id]));
    else setById(item.id, reconcile(item));
  };

  async function load(from: string | null) {
    const own = new Set<string>();
    told = own;
    try {
      const page = await options.http.listSessions({
        archived: false,
        ...(from === null ? {} : { cursor: from }),
      });
      const known = new Set(page.sessions.map((item) => item.id));
      // The first page also says what is gone: whatever is newer than its last and not on it.
      if (from === null) forget(known, page.sessions.at(-1), page.cursor === null, own);
      for (const item of page.sessions) if (!own.has(item.id)) put(item);
      setCursor(page.cursor);
      setPhase("ready");
      setError(null);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
      if (phase() === "loading") setPhase("failed");
    } finally {
      if (told === own) told = null;
    }
  }

  function forget(
    known: ReadonlySet<string>,
    last: SessionListItem | undefined,
    isWhole: boolean,
    own: ReadonlySet<string>,
  ) {
    setById(
      produce((items) => {
        for (const item of Object.values(items)) {
          const isCovered = isWhole || item.lastEventAt > (last?.lastEventAt ?? 0);
          if (isCovered && !known.has(item.id) && !own.has(item.id)) delete items[item.id];
        }
      }),
    );
  }

  const stops = [
    // oxlint-disable-next-line solid/reactivity -- an event of the stream, not a reading of signals
    options.stream.onHello(() => void load(null)),
    options.stream.onListItem((item) => {
      told?.add(item.id);
      put(item);
    }),
  ];
  onCleanup(() => {
    for (const stop of stops) stop();
  });
  onMount(() => void load(null));

  return {
    sessions: () =>
      Object.values(byId).toSorted(
        (a, b) => b.lastEventAt - a.lastEventAt || (a.id < b.id ? 1 : -1),
      ),
    phase,
    error,
    hasMore: () => cursor() !== null,
    // One at a time: whoever scrolls asks many times over.
    loadMore: async () => {
      if (told === null && cursor() !== null) await load(cursor());
    },
    reload: () => load(null),
    put,
  };
}
