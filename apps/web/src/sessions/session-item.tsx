import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { SessionListItem } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { formatAgo, formatDayAndTime } from "../ui/format.ts";

/** A session in the list: what it is called, what it does, whether it waits for me. */
export function SessionItem(props: { readonly item: SessionListItem; readonly now: number }) {
  const tone = () => {
    if (props.item.needsMe > 0) return "needs-you";
    if (props.item.status !== "idle") return "busy";
    return props.item.lastError === null ? "idle" : "trouble";
  };
  const doing = () => {
    if (props.item.needsMe > 0) return t("list.needsYou", props.item.needsMe);
    const { activity } = props.item;
    if (activity !== "idle") return t(`list.activity.${activity}`);
    return props.item.lastError ?? t(props.item.processAlive ? "list.idle" : "list.asleep");
  };
  return (
    <li>
      <A
        href={`/sessions/${props.item.id}`}
        class="session-item"
        data-tone={tone()}
        activeClass="is-open"
      >
        <span class="status-dot" aria-hidden="true" />
        <span class="session-item-name" dir="auto">
          {props.item.title ?? t("session.untitled")}
        </span>
        <time title={formatDayAndTime(props.item.lastEventAt || props.item.createdAt)}>
          {formatAgo(props.item.lastEventAt || props.item.createdAt, props.now)}
        </time>
        <span class="session-item-doing">
          <span class="session-item-now" title={props.item.lastError ?? undefined}>
            {doing()}
          </span>
          <Show when={props.item.cwd}>
            {(cwd) => <span class="session-item-cwd">{lastPart(cwd())}</span>}
          </Show>
        </span>
      </A>
    </li>
  );
}

const lastPart = (path: string) => path.split("/").findLast((part) => part !== "") ?? path;
