/**
 * The list as one looks at it. Without a question it is the live list; a search or the archive is
 * asked of the server, page by page, and kept true by the same feed.
 */
import { createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { ApiError, type Effects, type HttpClient, type StreamClient } from "@lodge/client";
import type { SessionListItem } from "@lodge/protocol";
import type { SessionList } from "../live/create-session-list.ts";
import { orderSessions, passesFilter, type Filter } from "./session-filter.ts";

export const SEARCH_AFTER_MS = 200;

export type SessionSearch = {
  readonly query: Accessor<string>;
  readonly setQuery: (query: string) => void;
  readonly filter: Accessor<Filter>;
  readonly setFilter: (filter: Filter) => void;
  readonly sessions: Accessor<readonly SessionListItem[]>;
  readonly phase: Accessor<"loading" | "ready" | "failed">;
  readonly error: Accessor<ApiError | null>;
  readonly hasMore: Accessor<boolean>;
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** Shows at once what one did oneself; the feed will say the same. */
  readonly put: (item: SessionListItem) => void;
};

export function createSessionSearch(options: {
  readonly list: SessionList;
  readonly http: Pick<HttpClient, "listSessions">;
  readonly stream: Pick<StreamClient, "onListItem">;
  readonly effects: Pick<Effects, "setTimer">;
}): SessionSearch {
  // oxlint-disable-next-line solid/reactivity -- given once
  const { list, http, stream, effects } = options;
  const [query, setQuery] = createSignal("");
  const [filter, setFilter] = createSignal<Filter>("active");
  const isAsked = createMemo(() => query().trim() !== "" || filter() === "archived");

  const [found, setFound] = createSignal<ReadonlyMap<string, SessionListItem>>(new Map());
  const [cursor, setCursor] = createSignal<string | null>(null);
  const [phase, setPhase] = createSignal<"loading" | "ready" | "failed">("loading");
  const [error, setError] = createSignal<ApiError | null>(null);
  let asking: AbortController | null = null;

  async function ask(from: string | null) {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    const q = query().trim();
    try {
      const page = await http.listSessions(
        {
          archived: filter() === "archived",
          ...(q === "" ? {} : { q }),
          ...(from === null ? {} : { cursor: from }),
        },
        own.signal,
      );
      if (own.signal.aborted) return;
      setFound((before) => {
        const next = new Map(from === null ? [] : before);
        for (const item of page.sessions) next.set(item.id, item);
        return next;
      });
      setCursor(page.cursor);
      setPhase("ready");
      setError(null);
    } catch (failure) {
      if (own.signal.aborted) return;
      setError(failure instanceof ApiError ? failure : null);
      setPhase("failed");
    } finally {
      if (asking === own) asking = null;
    }
  }

  createEffect(
    on([() => query().trim(), () => filter() === "archived"], ([q, archived], before) => {
      asking?.abort();
      if (q === "" && !archived) return;
      setPhase("loading");
      // Another list altogether: what the last one had is no part of it.
      if (before?.[1] !== archived) setFound(new Map());
      // oxlint-disable-next-line solid/reactivity -- what is asked is read when it is asked
      onCleanup(effects.setTimer(() => void ask(null), q === "" ? 0 : SEARCH_AFTER_MS));
    }),
  );

  const put = (item: SessionListItem) => {
    list.put(item);
    setFound((before) => {
      if (!before.has(item.id) && !(item.archived && filter() === "archived")) return before;
      return new Map(before).set(item.id, item);
    });
  };
  // oxlint-disable-next-line solid/reactivity -- an event of the stream, not a reading of signals
  onCleanup(stream.onListItem(put));
  onCleanup(() => asking?.abort());

  const sessions = createMemo(() => {
    const items = isAsked() ? [...found().values()] : list.sessions();
    return orderSessions(items.filter((item) => passesFilter(item, filter())));
  });

  return {
    query,
    setQuery,
    filter,
    setFilter,
    sessions,
    phase: () => (isAsked() ? phase() : list.phase()),
    error: () => (isAsked() ? error() : list.error()),
    hasMore: () => (isAsked() ? cursor() !== null : list.hasMore()),
    loadMore: () => {
      if (!isAsked()) void list.loadMore();
      else if (asking === null && cursor() !== null) void ask(cursor());
    },
    reload: () => void (isAsked() ? ask(null) : list.reload()),
    put,
  };
}
