/**
 * Stops the turn; pressed again while that is unanswered, it ends the run. It always says which.
 * Pressing twice by accident must not end a run, so the second step waits a moment.
 */
import { createEffect, createSignal, Match, on, onCleanup, Show, Switch } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { useSessionRoom } from "./session-context.ts";

export const SECOND_STEP_AFTER_MS = 700;

export function StopButton() {
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
    if (isSending()) return;
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

  return (
    <Show when={isOpen()}>
      <span class="stop">
        <Show when={error()}>
          {(failure) => <span role="alert">{describeError(failure())}</span>}
        </Show>
        <Switch>
          <Match when={scope() === "run"}>
            <Button isOff>{t("stop.ending")}</Button>
          </Match>
          <Match when={scope() === "turn"}>
            <span class="hint">{t("stop.stopping")}</span>
            <Button
              tone="danger"
              isBusy={isSending()}
              isOff={!isSecondArmed()}
              onClick={() => void stop("run")}
            >
              {t("stop.endRun")}
            </Button>
          </Match>
          <Match when={scope() === null}>
            <Button isBusy={isSending()} onClick={() => void stop("turn")}>
              {t("stop.stopTurn")}
            </Button>
          </Match>
        </Switch>
      </span>
    </Show>
  );
}
