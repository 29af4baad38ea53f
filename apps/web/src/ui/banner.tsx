import type { JSX } from "solid-js";

export function Banner(props: {
  readonly tone: "warning" | "danger" | "info";
  readonly role?: "status" | "alert";
  readonly children: JSX.Element;
}) {
  return (
    <div class="banner" data-tone={props.tone} role={props.role}>
      {props.children}
    </div>
  );
}
