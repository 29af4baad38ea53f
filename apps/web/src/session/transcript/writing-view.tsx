import { Match, Switch } from "solid-js";
import type { PartialBlock } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { Fold } from "./text/fold.tsx";

/** A block that is still being written: seen, not yet said. */
export function WritingView(props: { readonly block: PartialBlock }) {
  return (
    <Switch>
      <Match when={props.block.kind === "text" && props.block.text !== ""}>
        <div class="said writing">
          <Markdown text={props.block.text} isGrowing />
        </div>
      </Match>
      <Match when={props.block.kind === "thinking"}>
        <Fold foldKey="writing" class="thinking" label={t("transcript.thinkingNow")}>
          <div class="thinking-text">
            <Markdown text={props.block.text} isGrowing />
          </div>
        </Fold>
      </Match>
      <Match when={props.block.kind === "tool_input"}>
        <p class="tool-writing">
          <span class="tool-name">{props.block.toolName ?? t("tool.unknown")}</span>{" "}
          {t("tool.preparing", props.block.text.length)}
        </p>
      </Match>
    </Switch>
  );
}
