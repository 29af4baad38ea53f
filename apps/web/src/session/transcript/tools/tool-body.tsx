/** The inside of a call, by the kind of its tool. Loaded when the first one is opened. */
import { Match, Show, Switch, type JSX } from "solid-js";
import { classifyTool } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { formatTime } from "../../../ui/format.ts";
import { useSessionRoom } from "../../session-context.ts";
import type { Row, ToolAnswer, ToolRow } from "../row.ts";
import { AgentView } from "./agent-view.tsx";
import { PlanView, QuestionView } from "./asked-views.tsx";
import { BashView } from "./bash-view.tsx";
import { EditView, ReadView, WriteView } from "./file-views.tsx";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";
import { SearchView, WebView } from "./search-views.tsx";
import { TodoView } from "./todo-view.tsx";
import { nameTool } from "./tool-summary.ts";

export function ToolBody(props: {
  readonly row: ToolRow;
  readonly renderRow: (row: () => Row) => JSX.Element;
}) {
  const name = () => props.row.name ?? "";
  const kind = () => classifyTool(name());
  return (
    <div class="tool-body">
      <Switch fallback={<GenericView row={props.row} />}>
        <Match when={name() === "Bash"}>
          <BashView row={props.row} />
        </Match>
        <Match when={name() === "Read"}>
          <ReadView row={props.row} />
        </Match>
        <Match when={name() === "Write"}>
          <WriteView row={props.row} />
        </Match>
        <Match when={name() === "Edit" || name() === "MultiEdit"}>
          <EditView row={props.row} />
        </Match>
        <Match when={name() === "Grep" || name() === "Glob"}>
          <SearchView row={props.row} />
        </Match>
        <Match when={kind() === "web"}>
          <WebView row={props.row} />
        </Match>
        <Match when={name() === "Agent" || name() === "Task"}>
          <AgentView row={props.row} renderRow={props.renderRow} />
        </Match>
        <Match when={kind() === "todo"}>
          <TodoView row={props.row} />
        </Match>
        <Match when={name() === "ExitPlanMode"}>
          <PlanView row={props.row} />
        </Match>
        <Match when={kind() === "question"}>
          <QuestionView row={props.row} />
        </Match>
      </Switch>
      <AnswerNote row={props.row} />
    </div>
  );
}

/** Any tool, those of MCP servers too: what it was given, what it gave. */
function GenericView(props: { readonly row: ToolRow }) {
  return (
    <>
      <InputFields fields={props.row.input} foldKey={props.row.key} />
      <Show when={props.row.result}>
        {(result) => (
          <>
            <p class="tool-label">{t(result().isError ? "tool.error" : "tool.result")}</p>
            <ResultView result={result()} foldKey={`${props.row.key}.result`} />
          </>
        )}
      </Show>
    </>
  );
}

/** Who let it happen, or did not. */
function AnswerNote(props: { readonly row: ToolRow }) {
  const room = useSessionRoom();
  const who = ({ by }: ToolAnswer) => (by === null ? t("who.lodge") : room.nameOf(by.userId));
  return (
    <Show when={props.row.answer}>
      {(answer) => (
        <p class="tool-note">
          {describeAnswer(props.row.name, answer().outcome, who(answer()))}{" "}
          <time>{formatTime(answer().at)}</time>
          <Show when={answer().message}>{(message) => <bdi>: {message()}</bdi>}</Show>
          <Show when={changesInput(props.row)}> {t("answer.changed")}</Show>
        </p>
      )}
    </Show>
  );
}

function describeAnswer(name: string | null, outcome: ToolAnswer["outcome"], who: string): string {
  if (outcome === "allowed" && classifyTool(name ?? "") === "question")
    return t("answer.answered", who);
  if (name === "ExitPlanMode" && (outcome === "allowed" || outcome === "denied"))
    return t(outcome === "allowed" ? "answer.approved" : "answer.rejected", who);
  return t(`answer.${outcome}`, nameTool(name), who);
}

/** A person let something else happen than was asked for. */
export function changesInput({ answer, input, name }: ToolRow): boolean {
  const changed = answer?.updatedInput ?? null;
  if (changed === null || classifyTool(name ?? "") === "question") return false;
  return JSON.stringify(changed) !== JSON.stringify(input);
}
