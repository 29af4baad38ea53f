/**
 * A world stepped by hand: a clock that only moves when told, a network whose every answer is given
 * by the test, ids that count.
 */
import type { Effects } from "../effects.ts";

export type FakeRequest = {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  /** Answers with JSON (or nothing). */
  readonly respond: (status: number, body?: unknown, headers?: Record<string, string>) => void;
  /** Answers with a stream that the test goes on writing to. */
  readonly stream: (status?: number) => FakeStream;
  /** The network breaks before an answer. */
  readonly fail: () => void;
};
export type FakeStream = {
  readonly write: (text: string) => void;
  readonly writeBytes: (bytes: Uint8Array) => void;
  readonly end: () => void;
  readonly fail: () => void;
  readonly isCancelled: () => boolean;
};

export type FakeWorld = {
  readonly effects: Effects;
  /** Every request ever made, oldest first. */
  readonly requests: readonly FakeRequest[];
  readonly last: () => FakeRequest;
  readonly timers: () => number;
  readonly setOnline: (online: boolean) => void;
  /** Lets everything that is ready run. */
  readonly settle: () => Promise<void>;
  /** Moves the clock, running what falls due on the way, in order. */
  readonly advance: (ms: number) => Promise<void>;
};

export function makeFakeWorld(start = 1_000_000): FakeWorld {
  let now = start;
  let ids = 0;
  let isOnline = true;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const requests: FakeRequest[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  };

  const effects: Effects = {
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const signal = init.signal ?? undefined;
        const abort = () => reject(new DOMException("aborted", "AbortError"));
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort);
        requests.push(makeRequest(url, init, resolve, reject));
      }),
    now: () => now,
    random: () => 0.5,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    setTimer: (callback, ms) => {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    isOnline: () => isOnline,
  };

  return {
    effects,
    requests,
    last: () => {
      const request = requests.at(-1);
      if (request === undefined) throw new Error("no request was made");
      return request;
    },
    timers: () => timers.length,
    setOnline: (online) => {
      isOnline = online;
    },
    settle,
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        now = Math.max(now, due.at);
        timers = timers.filter((timer) => timer !== due);
        due.callback();
        await settle();
      }
      now = end;
    },
  };
}

function makeRequest(
  url: string,
  init: RequestInit,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): FakeRequest {
  return {
    method: init.method ?? "GET",
    url,
    path: url.replace(/^https?:\/\/[^/]+/, ""),
    headers: Object.fromEntries(new Headers(init.headers).entries()),
    body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
    signal: init.signal ?? undefined,
    respond: (status, body, headers = {}) =>
      resolve(
        new Response(body === undefined ? null : JSON.stringify(body), {
          status,
          headers: { "content-type": "application/json", ...headers },
        }),
      ),
    stream: (status = 200) => {
      const stream = makeStream(init.signal ?? undefined);
      resolve(
        new Response(stream.body, { status, headers: { "content-type": "text/event-stream" } }),
      );
      return stream;
    },
    fail: () => reject(new TypeError("fetch failed")),
  };
}

function makeStream(
  signal: AbortSignal | undefined,
): FakeStream & { readonly body: ReadableStream } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  // As in a browser: aborting the request breaks the body that is being read.
  signal?.addEventListener("abort", () => {
    isCancelled = true;
    try {
      controller?.error(new DOMException("aborted", "AbortError"));
    } catch {
      // Ended already.
    }
  });
  const encoder = new TextEncoder();
  return {
    body,
    write: (text) => controller?.enqueue(encoder.encode(text)),
    writeBytes: (bytes) => controller?.enqueue(bytes),
    end: () => controller?.close(),
    fail: () => controller?.error(new TypeError("network error")),
    isCancelled: () => isCancelled,
  };
}
