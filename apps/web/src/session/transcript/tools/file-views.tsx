/** Files read, written and changed. */
import { createMemo, Index, Show } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { Coloured } from "../code/code-block.tsx";
import { languageOfPath } from "../code/languages.ts";
import {
  addedText,
  countChanges,
  diffTexts,
  readPatch,
  type DiffHunk,
} from "../diff/diff-lines.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { useSessionRoom } from "../../session-context.ts";
import type { ToolRow } from "../row.ts";
import { OutputText } from "../text/output-text.tsx";
import { createWholeText } from "../text/create-whole-text.ts";
import { fieldsOf, listOf, numberOf, restOf, stringOf, textOf, textOfResult } from "./fields.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";

type RowProps = { readonly row: ToolRow };

export function PathLine(props: { readonly path: unknown; readonly note?: string }) {
  const room = useSessionRoom();
  const path = () => stringOf(props.path) ?? "";
  const shown = () => {
    const cwd = room.session.state().run?.cwd ?? null;
    return cwd !== null && path().startsWith(`${cwd}/`) ? path().slice(cwd.length + 1) : path();
  };
  return (
    <p class="tool-path">
      <code title={path()}>
        <VisibleText text={shown()} />
      </code>
      <Show when={props.note}>{(note) => <span class="tool-aside">{note()}</span>}</Show>
    </p>
  );
}

/** A result that says nothing but that it went wrong. */
function Failure(props: RowProps) {
  return (
    <Show when={props.row.result?.isError === true && props.row.result}>
      {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
    </Show>
  );
}

export function ReadView(props: RowProps) {
  const file = () => fieldsOf(fieldsOf(props.row.result?.detail)["file"]);
  const path = () => stringOf(props.row.input["file_path"]) ?? "";
  const text = () => {
    const content = textOf(file()["content"]);
    if (content !== null) return { text: content, first: numberOf(file()["startLine"]) ?? 1 };
    const result = props.row.result;
    const said = result === null || result.isError ? null : textOfResult(result);
    return typeof said === "string" ? unnumber(said) : null;
  };
  const note = () => {
    const [lines, total] = [numberOf(file()["numLines"]), numberOf(file()["totalLines"])];
    return lines === null || total === null ? undefined : t("read.lines", lines, total);
  };
  return (
    <>
      <PathLine path={path()} {...(note() === undefined ? {} : { note: note() ?? "" })} />
      <InputFields fields={restOf(props.row.input, ["file_path"])} foldKey={props.row.key} />
      <Show
        when={text()}
        fallback={
          <Show when={props.row.result}>
            {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
          </Show>
        }
      >
        {(found) => (
          <Show when={found().text !== ""} fallback={<p class="tool-note">{t("read.empty")}</p>}>
            <Numbered first={found().first} text={found().text} path={path()} row={props.row} />
          </Show>
        )}
      </Show>
    </>
  );
}

function Numbered(
  props: RowProps & { readonly text: Text; readonly first: number; readonly path: string },
) {
  return (
    <div class="source" dir="ltr">
      <Show when={props.first > 1}>
        <p class="tool-aside">{t("read.from", props.first)}</p>
      </Show>
      <OutputText
        text={props.text}
        foldKey={`${props.row.key}.file`}
        render={(text) => (
          <code>
            <Coloured code={text} language={languageOfPath(props.path)} />
          </code>
        )}
      />
    </div>
  );
}

/** The CLI numbers lines for the model: `   12→text` or `12\ttext`. */
export function unnumber(text: string): { readonly text: string; readonly first: number } | null {
  const lines = text.split("\n");
  const numbered = lines.map((line) => /^\s*(\d+)[\t→](.*)$/.exec(line));
  const first = numbered[0]?.[1];
  if (first === undefined) return null;
  const until = numbered.findIndex((match) => match === null);
  const body = until < 0 ? numbered : numbered.slice(0, until);
  return { text: body.map((match) => match?.[2] ?? "").join("\n"), first: Number(first) };
}

export function WriteView(props: RowProps) {
  const content = createWholeText(() => textOf(props.row.input["content"]) ?? "");
  const hunks = createMemo(() => {
    const patch = readPatch(fieldsOf(props.row.result?.detail)["structuredPatch"]);
    return patch ?? addedText(content.whole() ?? content.missing()?.head ?? "");
  });
  return (
    <>
      <PathLine path={props.row.input["file_path"]} note={describe(hunks())} />
      <Show when={hunks().length > 0} fallback={<p class="tool-note">{t("write.empty")}</p>}>
        <DiffView
          hunks={hunks()}
          foldKey={`${props.row.key}.diff`}
          label={stringOf(props.row.input["file_path"]) ?? ""}
        />
      </Show>
      <Show when={content.missing()}>
        <OutputText
          text={textOf(props.row.input["content"]) ?? ""}
          foldKey={`${props.row.key}.whole`}
          render={(text) => <VisibleText text={text} />}
        />
      </Show>
      <Failure row={props.row} />
    </>
  );
}

export function EditView(props: RowProps) {
  const edits = createMemo((): readonly (readonly DiffHunk[])[] => {
    const { input, result } = props.row;
    const patch = readPatch(fieldsOf(result?.detail)["structuredPatch"]);
    if (patch !== null) return [patch];
    const list = listOf(input["edits"]).map(fieldsOf);
    return (list.length === 0 ? [input] : list).map((edit) =>
      diffTexts(stringOf(edit["old_string"]) ?? "", stringOf(edit["new_string"]) ?? ""),
    );
  });
  const isEverywhere = () => props.row.input["replace_all"] === true;
  return (
    <>
      <PathLine
        path={props.row.input["file_path"]}
        note={[describe(edits().flat()), ...(isEverywhere() ? [t("edit.everywhere")] : [])].join(
          " · ",
        )}
      />
      <Index each={edits()}>
        {(hunks, index) => (
          <DiffView
            hunks={hunks()}
            foldKey={`${props.row.key}.diff${index}`}
            label={stringOf(props.row.input["file_path"]) ?? ""}
          />
        )}
      </Index>
      <InputFields
        fields={restOf(props.row.input, [
          "file_path",
          "old_string",
          "new_string",
          "edits",
          "replace_all",
        ])}
        foldKey={props.row.key}
      />
      <Failure row={props.row} />
    </>
  );
}

function describe(hunks: readonly DiffHunk[]): string {
  const { added, removed } = countChanges(hunks);
  return t("diff.count", added, removed);
}
