/** One call: a line that says what and how it goes; what it was given and gave when it is opened. */
import { lazy, Show, Suspense, type JSX } from "solid-js";
import { classifyTool } from "@lodge/protocol";
import { useSessionRoom } from "../../session-context.ts";
import { RevealedText } from "../text/revealed-text.tsx";
import { toolStateOf } from "../grouping.ts";
import type { Row, ToolRow } from "../row.ts";
import { Fold } from "../text/fold.tsx";
import { fieldsOf, listOf, stringOf } from "./fields.ts";
import { nameTool, summariseTool } from "./tool-summary.ts";
import { ToolStateText } from "./tool-state.tsx";

const ToolBody = lazy(() => import("./tool-body.tsx").then((m) => ({ default: m.ToolBody })));

export function ToolView(props: {
  readonly row: ToolRow;
  readonly renderRow: (row: () => Row) => JSX.Element;
}) {
  const room = useSessionRoom();
  const cwd = () => room.session.state().run?.cwd ?? null;
  return (
    <Fold
      foldKey={props.row.key}
      class="tool"
      state={toolStateOf(props.row)}
      isOpenByDefault={isOpenByDefault(props.row)}
      label={
        <>
          <span class="tool-dot" aria-hidden="true" />
          <span class="tool-name">{nameTool(props.row.name)}</span>
          <span class="tool-about" dir="auto">
            <RevealedText text={summariseTool(props.row, cwd())} />
          </span>
          <span class="tool-state">
            <ToolStateText row={props.row} />
          </span>
        </>
      }
    >
      <Suspense fallback={<div class="tool-body tool-place" />}>
        <Show when={props.row} keyed={false}>
          <ToolBody row={props.row} renderRow={props.renderRow} />
        </Show>
      </Suspense>
    </Fold>
  );
}

/** Lines of a change that are read at a glance. */
const GLANCE_LINES = 16;

/** Small changes, and what a person was asked. */
function isOpenByDefault({ name, input, result }: ToolRow): boolean {
  const kind = classifyTool(name ?? "");
  if (kind === "question") return true;
  if (name === "ExitPlanMode") return true;
  if (name === "TodoWrite" || name === "TaskList") return result !== null;
  if (kind !== "edit" || result?.isError === true) return false;
  const edits = listOf(input["edits"]).map(fieldsOf);
  const lines = [input, ...edits]
    .flatMap((edit) => [edit["old_string"], edit["new_string"], edit["content"]])
    .reduce<number>((sum, text) => sum + (stringOf(text)?.split("\n").length ?? 0), 0);
  return lines <= GLANCE_LINES;
}
