import { A } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { createSessionActs } from "../sessions/session-acts.tsx";
import { Button } from "../ui/button.tsx";
import { describeError } from "../ui/describe-error.ts";
import { Dialog } from "../ui/dialog.tsx";
import { shortenPath } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuEntry } from "../ui/menu.tsx";
import { useSessionRoom } from "./session-context.ts";

export function SessionHeader() {
  const { session } = useSessionRoom();
  const { http } = useLodge();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isAskingTrust, setIsAskingTrust] = createSignal(false);
  // What is changed here comes back by the log.
  const acts = createSessionActs({ onChanged: () => undefined });
  const title = () => session.state().config.title;
  const isTrusted = () => session.state().config.trust;
  const isRestingRun = () =>
    session.status() === "idle" && session.processAlive() && session.state().stop === null;

  async function act(what: () => Promise<unknown>) {
    setError(null);
    try {
      await what();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    }
  }
  const entries = (): readonly MenuEntry[] => [
    ...(isTrusted()
      ? [
          {
            kind: "act",
            icon: "shield",
            label: t("trust.untrust"),
            onSelect: () => void act(() => http.configure(session.sessionId, { trust: false })),
          } as const,
        ]
      : [
          {
            kind: "act",
            icon: "shield",
            label: t("trust.act"),
            onSelect: () => setIsAskingTrust(true),
          } as const,
        ]),
    {
      kind: "act",
      icon: "power",
      label: t("stop.endRun"),
      isOff: !isRestingRun(),
      onSelect: () => void act(() => session.stop("run")),
    },
    { kind: "line" },
    ...acts.entriesFor({
      id: session.sessionId,
      title: title(),
      archived: false,
      status: session.status(),
    }),
  ];

  return (
    <header class="session-head">
      <A class="back" href="/" aria-label={t("session.backToList")}>
        <Icon name="back" />
      </A>
      <div class="session-name">
        <h1 dir="auto">
          {/* Before the first snapshot nobody knows what it is called. */}
          <Show
            when={session.hydrationPhase() === "ready"}
            fallback={<span class="skeleton session-title-wait" />}
          >
            {title() ?? t("session.untitled")}
          </Show>
        </h1>
        <Show when={session.state().run?.cwd}>
          {(cwd) => (
            <p class="cwd" title={cwd()}>
              {shortenPath(cwd())}
            </p>
          )}
        </Show>
      </div>
      <Show when={isTrusted()}>
        <span class="tag" title={t("trust.done")}>
          <Icon name="shield" />
          <span class="visually-hidden">{t("trust.done")}</span>
        </span>
      </Show>
      <Show when={error()}>
        {(failure) => (
          <p class="form-error" role="alert">
            {describeError(failure())}
          </p>
        )}
      </Show>
      <acts.Dialogs />
      <Menu shape="icon" label={t("session.more")} placement="bottom-end" entries={entries()}>
        <Icon name="more" />
      </Menu>
      <TrustDialog
        isOpen={isAskingTrust()}
        directory={session.state().run?.cwd ?? null}
        onTrust={() => http.configure(session.sessionId, { trust: true })}
        onClose={() => setIsAskingTrust(false)}
      />
    </header>
  );
}

function TrustDialog(props: {
  readonly isOpen: boolean;
  readonly directory: string | null;
  readonly onTrust: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [isBusy, setIsBusy] = createSignal(false);
  const [error, setError] = createSignal<ApiError | null>(null);

  async function trust() {
    setIsBusy(true);
    setError(null);
    try {
      await props.onTrust();
      props.onClose();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Dialog isOpen={props.isOpen} title={t("trust.title")} onClose={props.onClose}>
      <Show when={props.directory}>
        {(directory) => (
          <pre class="trust-directory">
            <bdo dir="ltr">{directory()}</bdo>
          </pre>
        )}
      </Show>
      <p>{t("trust.what")}</p>
      <p>{t("trust.whatNot")}</p>
      <p>
        <strong>{t("trust.who")}</strong> {t("trust.run")}
      </p>
      <p class="form-error" role="alert">
        <Show when={error()}>{(failure) => describeError(failure())}</Show>
      </p>
      <div class="dialog-acts">
        <Button onClick={() => props.onClose()}>{t("dialog.cancel")}</Button>
        <Button tone="primary" isBusy={isBusy()} onClick={() => void trust()}>
          {t("trust.submit")}
        </Button>
      </div>
    </Dialog>
  );
}
