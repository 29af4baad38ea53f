import { Show, type JSX } from "solid-js";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { readLink } from "./safe-link.ts";

/**
 * A link of the model: says which host it leads to, and leads there only when it is pressed. What
 * cannot be opened is shown with its target as text.
 */
export function LinkView(props: {
  readonly href: string;
  /** What the link says, as plain text: where that is the address itself, the host is not repeated. */
  readonly text: string;
  readonly children: JSX.Element;
}) {
  const link = () => readLink(props.href);
  const saysHost = (host: string) => {
    const said = props.text.replace(/^https?:\/\//, "").replace(/^mailto:/, "");
    return said === host || said.startsWith(`${host}/`);
  };
  return (
    <Show
      when={link()}
      fallback={
        <span class="link-dead">
          {props.children}{" "}
          <Show when={props.href !== "" && props.href !== props.text}>
            <span class="link-host">
              (<VisibleText text={props.href} />)
            </span>
          </Show>
        </span>
      }
    >
      {(safe) => (
        <>
          <a
            class="link"
            href={safe().href}
            target="_blank"
            rel="noopener noreferrer"
            referrerpolicy="no-referrer"
          >
            <bdi>{props.children}</bdi>
          </a>
          <Show when={!saysHost(safe().host)}>
            <span class="link-host">
              {" "}
              (<VisibleText text={safe().host} />)
            </span>
          </Show>
        </>
      )}
    </Show>
  );
}
