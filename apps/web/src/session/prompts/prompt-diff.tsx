/** A change to be agreed to: every line of it, nothing folded and nothing cut; long ones scroll. */
import { createMemo, For } from "solid-js";
import { t } from "../../i18n/t.ts";
import { VisibleText } from "../../ui/visible-text.tsx";
import { diffTexts, type DiffLine } from "../transcript/diff/diff-lines.ts";

const SIGN = { same: " ", removed: "−", added: "+", note: " " } as const;

export function PromptDiff(props: { readonly before: string; readonly after: string }) {
  const lines = createMemo(() =>
    diffTexts(props.before, props.after).flatMap((hunk) => [...hunk.lines]),
  );
  return (
    <div class="prompt-diff" tabindex="0" role="group" aria-label={t("prompt.change")}>
      <For each={lines()}>{(line) => <Line line={line} />}</For>
    </div>
  );
}

function Line(props: { readonly line: DiffLine }) {
  const name = () => {
    if (props.line.kind === "added") return t("prompt.lineAdded");
    return props.line.kind === "removed" ? t("prompt.lineRemoved") : "";
  };
  return (
    <div class="prompt-diff-line" data-kind={props.line.kind}>
      <span class="prompt-diff-sign" aria-hidden="true">
        {SIGN[props.line.kind]}
      </span>
      <span class="visually-hidden">{name()}</span>
      <VisibleText text={props.line.text} />
    </div>
  );
}
