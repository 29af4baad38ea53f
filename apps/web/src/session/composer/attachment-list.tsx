import { For, Match, Show, Switch } from "solid-js";
import { t } from "../../i18n/t.ts";
import { IconButton } from "../../ui/button.tsx";
import type { Attachment, Attachments } from "./create-attachments.ts";

export function AttachmentList(props: { readonly attachments: Attachments }) {
  return (
    <Show when={props.attachments.items().length > 0}>
      <ul class="attachments" aria-label={t("attach.list")}>
        <For each={props.attachments.items()}>
          {(item) => <Chip item={item} onRemove={() => props.attachments.remove(item.id)} />}
        </For>
      </ul>
    </Show>
  );
}

function Chip(props: { readonly item: Attachment; readonly onRemove: () => void }) {
  const ready = () => (props.item.state.kind === "ready" ? props.item.state : null);
  const failed = () => (props.item.state.kind === "failed" ? props.item.state : null);
  return (
    <li data-state={props.item.state.kind}>
      <Switch fallback={<span class="skeleton" role="status" aria-label={t("attach.reading")} />}>
        <Match when={ready()}>
          {(state) => (
            <>
              <img src={state().url} alt={props.item.name || t("attach.picture")} />
              <span class="hint">
                {t("attach.size", state().image.width, state().image.height)}
              </span>
            </>
          )}
        </Match>
        <Match when={failed()}>
          {(state) => (
            <span role="alert">{t(`attach.failed.${state().reason}`, props.item.name)}</span>
          )}
        </Match>
      </Switch>
      <IconButton
        icon="close"
        label={t("attach.remove", props.item.name)}
        onClick={() => props.onRemove()}
      />
    </li>
  );
}
