import { For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { formatCost, formatTokens } from "../ui/format.ts";
import { useLodge } from "../live/lodge-context.ts";
import { describeStatus } from "./describe-status.ts";
import { useSessionRoom } from "./session-context.ts";

export function StatusLine() {
  const room = useSessionRoom();
  const { effects } = useLodge();
  const { session } = room;
  const words = () => {
    const now = room.now();
    return describeStatus({
      status: session.status(),
      activity: session.activity(),
      state: session.state(),
      connection: session.connection(),
      presence: session.presence(),
      writing: session.writing().at(-1) ?? null,
      isHydrated: session.hydrationPhase() === "ready",
      now,
      localNow: effects.now(),
    });
  };
  const isLost = () =>
    session.connection().kind === "waiting" || session.connection().kind === "offline";
  return (
    <div class="status" data-tone={words().tone}>
      <p class="status-now">
        <span class="status-dot" aria-hidden="true" />
        {words().text}
      </p>
      <For each={words().facts}>
        {(fact) => (
          <p class="status-fact" data-tone={fact.tone}>
            {fact.text}
          </p>
        )}
      </For>
      <Show when={isLost()}>
        <Button tone="quiet" onClick={() => session.reconnect()}>
          {t("connection.now")}
        </Button>
      </Show>
      <SessionFacts />
      <StatusAnnouncer />
    </div>
  );
}

/** For ears: the change of what goes on, not the seconds it takes. */
function StatusAnnouncer() {
  const { session } = useSessionRoom();
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {session.connected() ? t(`announce.${session.status()}`) : t("announce.disconnected")}
    </p>
  );
}

function SessionFacts() {
  const { session } = useSessionRoom();
  const usage = () => session.usage();
  const context = () => {
    const { contextTokens, contextWindow } = usage();
    if (contextTokens === 0) return null;
    return contextWindow === null
      ? t("facts.contextOpen", formatTokens(contextTokens))
      : t(
          "facts.context",
          Math.round((contextTokens / contextWindow) * 100),
          formatTokens(contextWindow),
        );
  };
  return (
    <p class="status-session">
      <Show when={session.state().servingModel}>{(model) => <span>{model()}</span>}</Show>
      <Show when={context()}>{(text) => <span>{text()}</span>}</Show>
      <Show when={usage().costUsd > 0}>
        <span>{formatCost(usage().costUsd)}</span>
      </Show>
    </p>
  );
}
