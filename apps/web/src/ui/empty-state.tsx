import { Show, type JSX } from "solid-js";
import { Icon, type IconName } from "./icon.tsx";

/** Nothing here, or nothing that could be had: what that means, and what to do about it. */
export function EmptyState(props: {
  readonly icon: IconName;
  readonly tone?: "brick";
  readonly children: JSX.Element;
  readonly act?: JSX.Element;
}) {
  return (
    <div class="empty" data-tone={props.tone} role={props.tone === "brick" ? "alert" : undefined}>
      <Icon name={props.icon} />
      <p>{props.children}</p>
      <Show when={props.act}>{props.act}</Show>
    </div>
  );
}
