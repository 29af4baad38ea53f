/** A subagent: what it was asked, what it does (as it does it), and what it came back with. */
import { createMemo, createSignal, For, Show, type JSX } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { Button } from "../../../ui/button.tsx";
import type { Row, ToolRow } from "../row.ts";
import { Fold } from "../text/fold.tsx";
import { Prose } from "../text/prose.tsx";
import { fieldsOf, listOf, restOf, textOf } from "./fields.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";

/** The newest ones are shown, and so many more at a time. */
const STEP = 40;

export function AgentView(props: {
  readonly row: ToolRow;
  /** Rows nest: whoever knows all kinds renders those inside. */
  readonly renderRow: (row: () => Row) => JSX.Element;
}) {
  const [most, setMost] = createSignal(STEP);
  const from = () => Math.max(0, props.row.children.length - most());
  /** By key: what a subagent does is only ever added to. */
  const keys = createMemo(() => props.row.children.slice(from()).map((child) => child.key));
  const byKey = createMemo(() => new Map(props.row.children.map((child) => [child.key, child])));
  const answer = () => {
    const { result } = props.row;
    if (result === null || result.isError) return [];
    const detail = listOf(fieldsOf(result.detail)["content"]);
    return detail
      .map(fieldsOf)
      .flatMap((block) => (block["type"] === "text" ? [textOf(block["text"]) ?? ""] : []));
  };
  return (
    <>
      <InputFields
        fields={restOf(props.row.input, ["prompt", "description"])}
        foldKey={props.row.key}
      />
      <Show when={textOf(props.row.input["prompt"])}>
        {(prompt) => (
          <Fold foldKey={`${props.row.key}.prompt`} class="thinking" label={t("agent.prompt")}>
            <div class="inset">
              <Prose text={prompt()} />
            </div>
          </Fold>
        )}
      </Show>
      <Show when={props.row.children.length > 0}>
        <div class="tool-children">
          <Show when={from() > 0}>
            <Button tone="quiet" onClick={() => setMost((before) => before + STEP)}>
              {t("agent.earlier", from())}
            </Button>
          </Show>
          <For each={keys()}>
            {(key) => {
              const found = createMemo<Row | undefined>((before) => byKey().get(key) ?? before);
              return <Show when={found()}>{(row) => props.renderRow(row)}</Show>;
            }}
          </For>
        </div>
      </Show>
      <Show
        when={answer().length > 0}
        fallback={
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        }
      >
        <div class="inset">
          <For each={answer()}>{(text) => <Prose text={text} />}</For>
        </div>
      </Show>
    </>
  );
}
