import { createSignal, For, Show, type JSX } from "solid-js";
import { t } from "../../i18n/t.ts";
import { formatDuration, formatElapsed } from "../../ui/format.ts";
import { useSessionRoom } from "../session-context.ts";
import { ValueView } from "../value-view.tsx";
import { ContentView } from "./content-view.tsx";
import type { Row, ToolRow } from "./row.ts";
import { summariseTool } from "./tool-summary.ts";

/** One tool call: a line that says what and how it went; the whole when it is opened. */
export function ToolView(props: {
  readonly row: ToolRow;
  /** Rows nest: whoever knows all kinds renders those inside. */
  readonly renderRow: (row: Row) => JSX.Element;
}) {
  const [isOpen, setIsOpen] = createSignal(false);
  return (
    <details
      class="tool"
      data-state={stateOf(props.row)}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <span class="tool-dot" aria-hidden="true" />
        <span class="tool-name">{props.row.name ?? t("tool.unknown")}</span>
        <span class="tool-about" dir="auto">
          {summariseTool(props.row.name, props.row.input)}
        </span>
        <span class="tool-state">
          <ToolState row={props.row} />
        </span>
      </summary>
      <Show when={isOpen()}>
        <div class="tool-body">
          <Show when={Object.keys(props.row.input).length > 0}>
            <ValueView value={props.row.input} />
          </Show>
          <Show when={props.row.children.length > 0}>
            <div class="tool-children">
              <For each={props.row.children}>{(child) => props.renderRow(child)}</For>
            </div>
          </Show>
          <Show when={props.row.result}>
            {(result) => (
              <div class="tool-result" data-error={result().isError ? "" : undefined}>
                <p class="tool-result-label">
                  {t(result().isError ? "tool.error" : "tool.result")}
                </p>
                <ContentView content={result().content} />
              </div>
            )}
          </Show>
        </div>
      </Show>
    </details>
  );
}

function ToolState(props: { readonly row: ToolRow }) {
  const room = useSessionRoom();
  const isAsked = (toolUseId: string) =>
    room.session.state().prompts.some((prompt) => prompt.toolUseId === toolUseId);
  const text = () => describe(props.row);
  const describe = (row: ToolRow) => {
    const took = row.result === null ? null : formatElapsed(row.result.at - row.at);
    switch (stateOf(row)) {
      case "running":
        if (isAsked(row.toolUseId)) return t("tool.waiting");
        return t("tool.running", formatDuration(room.now() - row.at));
      case "denied":
        return t("tool.denied");
      case "abandoned":
        return t("tool.abandoned");
      case "failed":
        return t("tool.failed", took ?? "");
      case "done":
        return row.name === null ? "" : (took ?? "");
    }
  };
  return <>{text()}</>;
}

function stateOf(row: ToolRow): "running" | "denied" | "abandoned" | "failed" | "done" {
  if (row.isDenied) return "denied";
  if (row.result !== null) return row.result.isError ? "failed" : "done";
  return row.isAbandoned ? "abandoned" : "running";
}
