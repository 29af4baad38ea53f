/**
 * The HTTP contract and nothing else: what any tool could write in an afternoon. Deliberately not
 * built on Lodge's own client.
 */
import type { Delta, SessionEvent, SnapshotFrame } from "@lodge/protocol";

export type Answer = {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads bodies as it finds them
  readonly body: any;
  readonly headers: Headers;
};

export type Frame =
  | { readonly event: "snapshot"; readonly id: number | null; readonly data: SnapshotFrame }
  | { readonly event: "session"; readonly id: number | null; readonly data: SessionEvent }
  | { readonly event: "delta"; readonly id: null; readonly data: Delta }
  | {
      readonly event: "heartbeat" | "closed";
      readonly id: null;
      readonly data: Record<string, unknown>;
    };

export class Browser {
  readonly #url: string;
  #cookie = "";

  constructor(url: string) {
    this.#url = url;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    this.request("GET", path, undefined, headers);
  post = (
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    this.request("POST", path, JSON.stringify(body), {
      "content-type": "application/json",
      ...headers,
    });
  delete = (path: string): Promise<Answer> => this.request("DELETE", path);

  async request(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { origin: this.#url, ...(this.#cookie ? { cookie: this.#cookie } : {}), ...headers },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    const set = response.headers.get("set-cookie");
    if (set) this.#cookie = set.split(";")[0] ?? "";
    const text = await response.text();
    let parsed: unknown = text;
    if (response.headers.get("content-type")?.includes("json")) parsed = JSON.parse(text);
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /** The frames of a session's stream, until the reader leaves the loop. */
  async *follow(
    sessionId: string,
    after: number,
    headers: Record<string, string> = {},
  ): AsyncGenerator<Frame> {
    const abort = new AbortController();
    try {
      const response = await fetch(`${this.#url}/api/sessions/${sessionId}/events?after=${after}`, {
        headers: { cookie: this.#cookie, ...headers },
        signal: abort.signal,
      });
      if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of response.body) {
        const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
        rest = parts.pop() ?? "";
        for (const part of parts) yield parseFrame(part);
      }
    } finally {
      abort.abort();
    }
  }

  /** Follow until an event passes the test; all events seen, that one last. A broken stream is taken up again. */
  async until(
    sessionId: string,
    after: number,
    test: (event: SessionEvent) => boolean,
  ): Promise<readonly SessionEvent[]> {
    const seen: SessionEvent[] = [];
    for (let tries = 0; tries < 200; tries++) {
      try {
        for await (const frame of this.follow(sessionId, seen.at(-1)?.seq ?? after)) {
          if (frame.event !== "session") continue;
          seen.push(frame.data);
          if (test(frame.data)) return seen;
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error(`waited in vain; seen: ${seen.map((event) => event.type).join(" ")}`);
  }

  /** The whole log, paged back from its end. */
  async history(sessionId: string): Promise<readonly SessionEvent[]> {
    let events: SessionEvent[] = [];
    for (;;) {
      const before = events[0] ? `&before=${events[0].seq}` : "";
      const { body } = await this.get(`/api/sessions/${sessionId}/history?limit=7${before}`);
      events = [...body.events, ...events];
      if (!body.hasMore) return events;
    }
  }

  /** A session that answers this prompt. */
  async session(body: Record<string, unknown>): Promise<string> {
    const made = await this.post("/api/sessions", body);
    if (made.status !== 201)
      throw new Error(`making a session answered ${made.status}: ${JSON.stringify(made.body)}`);
    return made.body.id;
  }
}

function parseFrame(text: string): Frame {
  const field = (name: string): string | undefined =>
    text
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const id = field("id");
  return {
    event: field("event"),
    id: id === undefined ? null : Number(id),
    data: JSON.parse(field("data") ?? "null"),
  } as Frame;
}

export const isType =
  (type: SessionEvent["type"]) =>
  (event: SessionEvent): boolean =>
    event.type === type;

export const seqsOf = (events: readonly SessionEvent[]): number[] =>
  events.map((event) => event.seq);

/** What Claude said, as text. */
export const textOf = (events: readonly SessionEvent[]): string =>
  events
    .flatMap((event) => (event.type === "content" ? event.data.blocks : []))
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("");
