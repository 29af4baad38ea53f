/**
 * The HTTP contract as typed calls. No state but where the server is and who asks.
 *
 * Acts that carry an id of the caller's making (a new session, an input) are repeated with the same
 * id while their outcome is unknown; everything else is tried once and its error is the caller's.
 */
import type {
  AnswerBody,
  ChangePasswordBody,
  ConfigBody,
  CreateSessionBody,
  LoginBody,
  Me,
  PatchSessionBody,
  ReplaceInputBody,
  SendBody,
  Seq,
  SessionEvent,
  SessionId,
  SessionListItem,
  SetupBody,
  StopBody,
  WatchBody,
} from "@lodge/protocol";
import { ApiError, readApiError } from "./api-error.ts";
import { backOffMs } from "./back-off.ts";
import { wait, type Effects } from "./effects.ts";

export type SessionPage = {
  readonly sessions: readonly SessionListItem[];
  /** Hand it back for the next page; null: this was the last. */
  readonly cursor: string | null;
};
export type HistoryPage = { readonly events: readonly SessionEvent[]; readonly hasMore: boolean };
export type SendReceipt = { readonly inputId: string; readonly seq: Seq };
export type RunReceipt = { readonly runId: string; readonly processId?: string };
/** Where in the log the act is. */
export type ActReceipt = { readonly seq: Seq };
/** What is being stopped; null: there was nothing to stop. */
export type StopReceipt = { readonly scope: "turn" | "run" | null };
/** What of `watch` is now watched: sessions that are not there for this person are left out. */
export type WatchReceipt = { readonly watching: readonly SessionId[] };

export type HttpClientOptions = {
  /** Where the api is: an origin with an optional path, "" for the page's own origin. */
  readonly baseUrl: string;
  readonly effects: Effects;
  /** For tools. Browsers are known by their cookie. */
  readonly token?: string;
};

export type HttpClient = ReturnType<typeof createHttpClient>;

const RETRY = { firstMs: 500, capMs: 8_000 };
/** Long enough for a restart of the server; after that a person decides. */
const RETRY_FOR_MS = 60_000;

export function createHttpClient(options: HttpClientOptions) {
  const { effects } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const auth: Record<string, string> =
    options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };

  /** The bare request, for streams too: an answer of any status, or an ApiError of status 0. */
  async function open(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await effects.fetch(`${base}${path}`, {
        credentials: options.token === undefined ? "same-origin" : "omit",
        cache: "no-store",
        ...init,
        headers: { ...auth, ...(init.headers as Record<string, string>) },
      });
    } catch (error) {
      throw new ApiError(
        { status: 0, code: "network", message: "The server cannot be reached." },
        { cause: error },
      );
    }
  }

  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<T> {
    const response = await open(path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw await readApiError(response);
    if (response.status === 204) return undefined as T;
    // The connection can break between the head and the end of the body: no answer, then.
    const text = await response.text().catch((error: unknown) => {
      throw new ApiError(
        { status: 0, code: "network", message: "The answer was cut off." },
        { cause: error },
      );
    });
    if (text === "") return undefined as T;
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new ApiError(
        { status: response.status, code: "bad_answer", message: "The answer is not JSON." },
        { cause: error },
      );
    }
  }

  /** Repeats an idempotent act while nobody knows what became of it. */
  async function persist<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const begun = effects.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await act();
      } catch (error) {
        const isWorthIt = error instanceof ApiError && error.isOutcomeUnknown;
        if (!isWorthIt || effects.now() - begun >= RETRY_FOR_MS) throw error;
        const delay = error.retryAfterMs ?? backOffMs(RETRY, attempt, effects.random());
        await wait(effects, delay, signal);
        if (signal?.aborted) throw error;
      }
    }
  }

  const session = (id: SessionId, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;

  return {
    open,

    login: (body: LoginBody) => request<Me>("POST", "/api/auth/login", body),
    logout: () => request<void>("POST", "/api/auth/logout", {}),
    me: (signal?: AbortSignal) => request<Me>("GET", "/api/auth/me", undefined, signal),
    /** The first admin, by the one-time secret that the server printed. */
    setup: (body: SetupBody) => request<Me>("POST", "/api/auth/setup", body),
    changePassword: (body: ChangePasswordBody) => request<void>("POST", "/api/auth/password", body),

    listSessions: (query: ListQuery = {}, signal?: AbortSignal) =>
      request<SessionPage>("GET", `/api/sessions${encodeQuery(query)}`, undefined, signal),
    createSession: (body: CreateSessionBody, signal?: AbortSignal) => {
      const repeatable = { ...body, id: body.id ?? effects.newId() };
      return persist(
        () => request<SessionListItem>("POST", "/api/sessions", repeatable, signal),
        signal,
      );
    },
    getSession: (id: SessionId, signal?: AbortSignal) =>
      request<SessionListItem>("GET", session(id), undefined, signal),
    patchSession: (id: SessionId, body: PatchSessionBody) =>
      request<SessionListItem>("PATCH", session(id), body),
    deleteSession: (id: SessionId) => request<void>("DELETE", session(id)),

    start: (id: SessionId) => request<RunReceipt>("POST", session(id, "/start"), {}),
    send: (id: SessionId, body: SendBody, signal?: AbortSignal) => {
      const repeatable = { ...body, inputId: body.inputId ?? effects.newId() };
      return persist(
        () => request<SendReceipt>("POST", session(id, "/send"), repeatable, signal),
        signal,
      );
    },
    /** Takes back an input that was not handed over yet; 409 when it was. */
    withdraw: (id: SessionId, inputId: string) =>
      request<void>("DELETE", session(id, `/inputs/${encodeURIComponent(inputId)}`)),
    /** Edits or moves one; `inputId` in the body is of the caller's making, and is kept on repeats. */
    replaceInput: (id: SessionId, inputId: string, body: ReplaceInputBody) =>
      persist(() =>
        request<SendReceipt>(
          "POST",
          session(id, `/inputs/${encodeURIComponent(inputId)}/replace`),
          body,
        ),
      ),
    stop: (id: SessionId, body: StopBody = {}) =>
      request<StopReceipt>("POST", session(id, "/stop"), body),
    answer: (id: SessionId, requestId: string, body: AnswerBody) =>
      request<ActReceipt>(
        "POST",
        session(id, `/permissions/${encodeURIComponent(requestId)}`),
        body,
      ),
    configure: (id: SessionId, body: ConfigBody) =>
      request<ActReceipt>("POST", session(id, "/config"), body),
    history: (id: SessionId, query: HistoryQuery = {}, signal?: AbortSignal) =>
      request<HistoryPage>("GET", session(id, `/history${encodeQuery(query)}`), undefined, signal),
    /** A text that was too long for the log. */
    readBlob: async (id: SessionId, blobId: string, signal?: AbortSignal): Promise<string> => {
      const path = session(id, `/blobs/${encodeURIComponent(blobId)}`);
      const response = await open(path, signal === undefined ? {} : { signal });
      if (!response.ok) throw await readApiError(response);
      return response.text();
    },

    /** Says which sessions the stream `streamId` is to carry, each from the seq after its cursor. */
    watch: (streamId: string, body: WatchBody) =>
      request<WatchReceipt | undefined>(
        "POST",
        `/api/stream/${encodeURIComponent(streamId)}`,
        body,
      ),
  };
}

export type ListQuery = {
  readonly q?: string;
  readonly status?: string;
  readonly archived?: boolean;
  readonly cursor?: string;
};
export type HistoryQuery = { readonly before?: Seq; readonly limit?: number };

function encodeQuery(
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
