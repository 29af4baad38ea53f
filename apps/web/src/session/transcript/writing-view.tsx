import { Match, Switch } from "solid-js";
import type { PartialBlock } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";

/** A block that is still being written: seen, not yet said. */
export function WritingView(props: { readonly block: PartialBlock }) {
  return (
    <Switch>
      <Match when={props.block.kind === "text" && props.block.text !== ""}>
        <div class="prose writing" dir="auto">
          {props.block.text}
        </div>
      </Match>
      <Match when={props.block.kind === "thinking"}>
        <details class="thinking writing">
          <summary>{t("transcript.thinkingNow")}</summary>
          <div class="prose" dir="auto">
            {props.block.text}
          </div>
        </details>
      </Match>
      <Match when={props.block.kind === "tool_input"}>
        <p class="tool-writing writing">
          <span class="tool-name">{props.block.toolName ?? t("tool.unknown")}</span>{" "}
          {t("tool.preparing", props.block.text.length)}
        </p>
      </Match>
    </Switch>
  );
}
