/**
 * The ladder of stopping: the first step stops the turn; the second, while that is unanswered, ends
 * the run. Twice by accident must not end a run, so the second step waits a moment.
 */
import { createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { ApiError } from "@lodge/client";
import { useSessionRoom } from "../session-context.ts";

export const SECOND_STEP_AFTER_MS = 700;

export type Stop = {
  /** What is being stopped already. */
  readonly scope: Accessor<"turn" | "run" | null>;
  readonly isOpen: () => boolean;
  readonly isSending: Accessor<boolean>;
  readonly isSecondArmed: Accessor<boolean>;
  readonly error: Accessor<ApiError | null>;
  /** The next step of the ladder, whichever that is; nothing where there is none. */
  readonly step: () => void;
};

export function createStop(): Stop {
  const { session } = useSessionRoom();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isSending, setIsSending] = createSignal(false);
  const [isSecondArmed, setIsSecondArmed] = createSignal(false);
  const scope = () => session.state().stop?.scope ?? null;
  const isOpen = () => session.status() !== "idle" || scope() !== null;

  createEffect(
    on(scope, () => {
      setIsSecondArmed(false);
      const timer = setTimeout(() => setIsSecondArmed(true), SECOND_STEP_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    }),
  );

  async function stop(next: "turn" | "run") {
    setIsSending(true);
    setError(null);
    try {
      await session.stop(next);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    } finally {
      setIsSending(false);
    }
  }

  return {
    scope,
    isOpen,
    isSending,
    isSecondArmed,
    error,
    step: () => {
      if (isSending() || !isOpen() || scope() === "run") return;
      if (scope() === null) void stop("turn");
      else if (isSecondArmed()) void stop("run");
    },
  };
}
