/** What must be known on every page, whatever is open. */
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import type { ConnectionState } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";

/** A stream that is back within this time was no news to anyone. */
export const PATIENCE_MS = 2_000;

export function IsolationBanner() {
  return <Banner tone="warning">{t("banner.isolation")}</Banner>;
}

export function ConnectionBanner(props: {
  readonly connection: ConnectionState;
  readonly onRetry: () => void;
}) {
  const [isPatient, setIsPatient] = createSignal(true);
  // A memo: from one try to the next it stays lost, and the banner stays where it is.
  const isLost = createMemo(() => props.connection.kind !== "live");
  createEffect(
    on(isLost, (lost) => {
      setIsPatient(true);
      if (!lost) return;
      const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS);
      onCleanup(() => clearTimeout(timer));
    }),
  );
  const text = () => {
    switch (props.connection.kind) {
      case "offline":
        return t("banner.offline");
      case "ended":
        return t(`connection.ended.${props.connection.reason}`);
      case "live":
      case "connecting":
      case "waiting":
        return t("banner.disconnected");
    }
  };
  return (
    <Show when={isLost() && !isPatient()}>
      <Banner tone="danger" role="status">
        {text()}{" "}
        <Show when={props.connection.kind !== "ended"}>
          <Button tone="quiet" onClick={() => props.onRetry()}>
            {t("connection.now")}
          </Button>
        </Show>
      </Banner>
    </Show>
  );
}
