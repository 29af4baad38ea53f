import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { SessionListItem } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { formatAgo, formatDayAndTime } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { SessionActs } from "./session-acts.tsx";

/** A session in the list: what it is called, what it does, whether it waits for me. */
export function SessionItem(props: {
  readonly item: SessionListItem;
  readonly now: number;
  readonly acts: SessionActs;
}) {
  const title = () => props.item.title ?? t("session.untitled");
  const tone = () => {
    if (props.item.needsMe > 0) return "needs-you";
    if (props.item.status !== "idle") return "busy";
    if (props.item.lastError !== null) return "trouble";
    return props.item.processAlive ? "ready" : "idle";
  };
  const doing = () => {
    if (props.item.needsMe > 0) return t("list.needsYou", props.item.needsMe);
    const { activity } = props.item;
    if (activity !== "idle") return t(`list.activity.${activity}`);
    return props.item.lastError ?? t(props.item.processAlive ? "list.idle" : "list.asleep");
  };
  const at = () => props.item.lastEventAt || props.item.createdAt;
  return (
    <div class="session-row" data-tone={tone()}>
      <A href={`/sessions/${props.item.id}`} class="session-item" activeClass="is-open">
        <span class="status-dot" aria-hidden="true" />
        <span class="session-item-name" dir="auto">
          {title()}
        </span>
        <span class="session-item-doing">
          <span class="session-item-now" title={props.item.lastError ?? undefined}>
            {doing()}
          </span>
          <Show when={props.item.cwd}>
            {(cwd) => <span class="session-item-cwd">{lastPart(cwd())}</span>}
          </Show>
        </span>
        <time title={formatDayAndTime(at())}>{formatAgo(at(), props.now)}</time>
      </A>
      <Menu
        shape="icon"
        label={t("list.more", title())}
        placement="bottom-end"
        entries={props.acts.entriesFor(props.item)}
      >
        <Icon name="more" />
      </Menu>
    </div>
  );
}

const lastPart = (path: string) => path.split("/").findLast((part) => part !== "") ?? path;
