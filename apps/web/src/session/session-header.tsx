import { A } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { shortenPath } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { useSessionRoom } from "./session-context.ts";

export function SessionHeader() {
  const { session } = useSessionRoom();
  const [error, setError] = createSignal<ApiError | null>(null);
  const isRestingRun = () =>
    session.status() === "idle" && session.processAlive() && session.state().stop === null;

  async function endRun() {
    setError(null);
    try {
      await session.stop("run");
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    }
  }

  return (
    <header class="session-head">
      <A class="back" href="/" aria-label={t("session.backToList")}>
        <Icon name="back" />
      </A>
      <div class="session-name">
        <h1 dir="auto">{session.state().config.title ?? t("session.untitled")}</h1>
        <Show when={session.state().run?.cwd}>
          {(cwd) => (
            <p class="cwd" title={cwd()}>
              {shortenPath(cwd())}
            </p>
          )}
        </Show>
      </div>
      <Show when={error()}>{(failure) => <p role="alert">{describeError(failure())}</p>}</Show>
      <Show when={isRestingRun()}>
        <Button tone="quiet" onClick={() => void endRun()}>
          {t("stop.endRun")}
        </Button>
      </Show>
    </header>
  );
}
