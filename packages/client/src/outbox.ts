/**
 * Inputs on their way to the log. Each has an id of our making and is sent until the server says
 * what became of it; it leaves here when the log has it, by whichever way that is learned first.
 */
import type { Seq, SendBody, SessionEvent, SessionId, SessionState } from "@lodge/protocol";
import { ApiError } from "./api-error.ts";
import type { Effects } from "./effects.ts";
import type { HttpClient } from "./http-client.ts";

export type SendOptions = Pick<SendBody, "contentBlocks" | "deliver">;

export type Outgoing = {
  readonly inputId: string;
  readonly input: string;
  readonly options: SendOptions;
  readonly since: number;
  /** `accepted`: the server has it, the log's event is on its way here. */
  readonly phase: "sending" | "accepted" | "failed";
  readonly error: ApiError | null;
  /** From the receipt: the log has the input at this seq. */
  readonly seq: Seq | null;
};

export function createOutbox(options: {
  readonly sessionId: SessionId;
  readonly http: Pick<HttpClient, "send">;
  readonly effects: Pick<Effects, "newId" | "now">;
  /** How far the log is held. */
  readonly cursor: () => Seq;
  readonly onChange: () => void;
}) {
  let items: readonly Outgoing[] = [];
  const closing = new AbortController();

  const change = (inputId: string, facts: Partial<Outgoing>) => {
    items = items.map((item) => (item.inputId === inputId ? { ...item, ...facts } : item));
  };
  const drop = (isSettled: (item: Outgoing) => boolean) => {
    items = items.filter((item) => !isSettled(item));
  };

  const settleUpTo = (cursor: Seq) => drop((item) => item.seq !== null && item.seq <= cursor);

  async function post(item: Outgoing) {
    const body = { ...item.options, input: item.input, inputId: item.inputId };
    try {
      const receipt = await options.http.send(options.sessionId, body, closing.signal);
      change(item.inputId, { phase: "accepted", seq: receipt.seq, error: null });
      settleUpTo(options.cursor());
    } catch (error) {
      if (closing.signal.aborted) return;
      change(item.inputId, { phase: "failed", error: asApiError(error) });
    }
    if (!closing.signal.aborted) options.onChange();
  }

  return {
    items: () => items,

    send: (input: string, sendOptions: SendOptions = {}): string => {
      const item: Outgoing = {
        inputId: options.effects.newId(),
        input,
        options: sendOptions,
        since: options.effects.now(),
        phase: "sending",
        error: null,
        seq: null,
      };
      items = [...items, item];
      options.onChange();
      void post(item);
      return item.inputId;
    },

    /** The same input under the same id: if the first attempt did arrive, this changes nothing. */
    retry: (inputId: string): void => {
      const item = items.find((other) => other.inputId === inputId);
      if (item?.phase !== "failed") return;
      change(inputId, { phase: "sending", error: null });
      options.onChange();
      void post(item);
    },

    discard: (inputId: string): string | null => {
      const item = items.find((other) => other.inputId === inputId);
      if (item?.phase !== "failed") return null;
      drop((other) => other === item);
      options.onChange();
      return item.input;
    },

    settle: (event: SessionEvent): void => {
      if (event.type === "input:queued") drop((item) => item.inputId === event.data.inputId);
    },
    settleAll: (state: SessionState): void => {
      const known = new Set(state.inputs.map((input) => input.inputId));
      drop((item) => known.has(item.inputId));
    },
    settleUpTo,

    close: () => closing.abort(),
  };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ status: 0, code: "network", message: String(error) }, { cause: error });
}
