/** Stops the turn; pressed again while that is unanswered, it ends the run. It always says which, and what comes next. */
import { Match, Show, Switch } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Stop } from "./create-stop.ts";

export function StopButton(props: { readonly stop: Stop }) {
  return (
    <Show when={props.stop.isOpen()}>
      <span class="stop">
        <Show when={props.stop.error()}>
          {(failure) => <span role="alert">{describeError(failure())}</span>}
        </Show>
        <Switch>
          <Match when={props.stop.scope() === "run"}>
            <Button isOff>{t("stop.ending")}</Button>
          </Match>
          <Match when={props.stop.scope() === "turn"}>
            <span class="hint">{t("stop.stopping")}</span>
            <Button
              tone="danger"
              isBusy={props.stop.isSending()}
              isOff={!props.stop.isSecondArmed()}
              title={t("stop.endRunHint")}
              onClick={() => props.stop.step()}
            >
              {t("stop.endRun")}
            </Button>
          </Match>
          <Match when={props.stop.scope() === null}>
            <Button
              isBusy={props.stop.isSending()}
              title={t("stop.stopTurnHint")}
              onClick={() => props.stop.step()}
            >
              <Icon name="stop" />
              {t("stop.stopTurn")}
            </Button>
          </Match>
        </Switch>
      </span>
    </Show>
  );
}
