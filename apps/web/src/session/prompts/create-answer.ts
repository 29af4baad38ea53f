/** Answering one prompt: once, with what became of it. */
import { createSignal, type Accessor } from "solid-js";
import { ApiError } from "@lodge/client";
import type { AnswerBody, PromptState } from "@lodge/protocol";

export type AnswerPhase =
  | { readonly kind: "open" }
  | { readonly kind: "sending" }
  /** Accepted; the log will take the prompt away. */
  | { readonly kind: "sent" }
  | { readonly kind: "failed"; readonly error: ApiError };

export function createAnswer(options: {
  readonly prompt: () => PromptState;
  readonly send: (requestId: string, body: AnswerBody) => Promise<unknown>;
  /** false just after something moved on the page: what was pressed may not be what was meant. */
  readonly isArmed: () => boolean;
  readonly onAnswered: () => void;
}): {
  readonly phase: Accessor<AnswerPhase>;
  readonly isOff: () => boolean;
  readonly give: (body: AnswerBody) => void;
} {
  const [phase, setPhase] = createSignal<AnswerPhase>({ kind: "open" });
  /** Seen on the buttons, so that a press that means nothing does not look like one that did. */
  const isOff = () => phase().kind === "sending" || phase().kind === "sent" || !options.isArmed();

  async function send(body: AnswerBody) {
    setPhase({ kind: "sending" });
    // Before the log can say so.
    options.onAnswered();
    try {
      await options.send(options.prompt().requestId, body);
      setPhase({ kind: "sent" });
    } catch (error) {
      const failure =
        error instanceof ApiError
          ? error
          : new ApiError({ status: 0, code: "network", message: String(error) });
      setPhase({ kind: "failed", error: failure });
    }
  }

  return {
    phase,
    isOff,
    give: (body) => {
      if (!isOff()) void send(body);
    },
  };
}
