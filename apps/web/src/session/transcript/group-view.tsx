/** A piece of work: its steps, under a line that says what they came to when it is folded. */
import { createMemo, createSignal, For, Show } from "solid-js";
import type { ToolKind } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { formatElapsed } from "../../ui/format.ts";
import { RowView } from "./row-view.tsx";
import type { StepCounts } from "./grouping.ts";
import type { StepGroup } from "./step-group.ts";
import { Fold } from "./text/fold.tsx";

/** The newest steps of a long piece of work, and so many more at a time: what is shown stays bounded. */
const STEP = 40;

export function GroupView(props: { readonly group: StepGroup }) {
  return (
    <Show when={props.group.hasHeading} fallback={<Steps group={props.group} />}>
      <Fold
        foldKey={props.group.key}
        class="steps"
        isOpenByDefault={!props.group.isFollowed}
        state={stateOf(props.group.counts)}
        label={<Heading group={props.group} />}
      >
        <Steps group={props.group} />
      </Fold>
    </Show>
  );
}

function Steps(props: { readonly group: StepGroup }) {
  const [most, setMost] = createSignal(STEP);
  const from = () => Math.max(0, props.group.steps.length - most());
  const shown = createMemo(() => props.group.steps.slice(from()));
  return (
    <div class="steps-list">
      <Show when={from() > 0}>
        <Button tone="quiet" onClick={() => setMost((before) => before + STEP)}>
          {t("steps.earlier", from())}
        </Button>
      </Show>
      <For each={shown()}>{(step) => <RowView row={step.row} />}</For>
    </div>
  );
}

const stateOf = ({ running, failed }: StepCounts) =>
  running > 0 ? "running" : failed > 0 ? "failed" : "done";

/** In the order in which they are told. */
const TOLD: readonly ToolKind[] = [
  "edit",
  "command",
  "agent",
  "read",
  "search",
  "web",
  "mcp",
  "todo",
  "task",
  "schedule",
  "other",
];

function Heading(props: { readonly group: StepGroup }) {
  const text = () => {
    const { byKind } = props.group.counts;
    const parts = TOLD.flatMap((kind) => {
      const count = byKind[kind] ?? 0;
      return count === 0 || kind === "plan" || kind === "question"
        ? []
        : [t(`steps.${kind}`, count)];
    });
    const sentence = parts.join(", ");
    return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
  };
  const took = () => {
    const { steps } = props.group;
    const [first, last] = [steps[0]?.row, steps.at(-1)?.row];
    if (first === undefined || last === undefined || props.group.counts.running > 0) return "";
    const end = last.kind === "tool" && last.result !== null ? last.result.at : last.at;
    return end > first.at ? formatElapsed(end - first.at) : "";
  };
  return (
    <>
      <span class="steps-sign" aria-hidden="true" />
      <span class="steps-what">{text()}</span>
      <Show when={props.group.counts.failed > 0}>
        <span class="steps-failed">{t("steps.failed", props.group.counts.failed)}</span>
      </Show>
      <span class="tool-state">{took()}</span>
    </>
  );
}
