/** A command as it was run, what it printed, and how it ended. */
import { Show } from "solid-js";
import { isBlobRef } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { formatBytes } from "../../../ui/format.ts";
import { VisibleText } from "../../../ui/visible-text.tsx";
import type { ToolRow } from "../row.ts";
import { OutputText } from "../text/output-text.tsx";
import { fieldsOf, numberOf, restOf, stringOf, textOf, textOfResult } from "./fields.ts";
import { InputFields } from "./input-fields.tsx";
import { ResultView } from "./result-view.tsx";

export function BashView(props: { readonly row: ToolRow }) {
  const outcome = () => readOutcome(props.row);
  return (
    <>
      <Show when={stringOf(props.row.input["description"])}>
        {(text) => (
          <p class="tool-note" dir="auto">
            {text()}
          </p>
        )}
      </Show>
      <div class="command">
        <span class="command-sign" aria-hidden="true">
          $
        </span>
        <OutputText
          text={textOf(props.row.input["command"]) ?? ""}
          foldKey={`${props.row.key}.command`}
          render={(text) => <VisibleText text={text} />}
        />
      </div>
      <InputFields
        fields={restOf(props.row.input, ["command", "description"])}
        foldKey={props.row.key}
      />
      <Show when={outcome()}>
        {(how) => (
          <>
            <Show
              when={how().output !== null}
              fallback={
                <Show when={props.row.result}>
                  {(result) => <ResultView result={result()} foldKey={`${props.row.key}.result`} />}
                </Show>
              }
            >
              <Show when={how().output !== ""}>
                <OutputText text={how().output ?? ""} foldKey={`${props.row.key}.out`} />
              </Show>
            </Show>
            <Show when={how().errors}>
              {(text) => (
                <>
                  <p class="tool-label">{t("bash.stderr")}</p>
                  <OutputText text={text()} foldKey={`${props.row.key}.err`} />
                </>
              )}
            </Show>
            <p class="tool-note" data-tone={how().code === 0 ? undefined : "error"}>
              {how().words}
            </p>
          </>
        )}
      </Show>
    </>
  );
}

/** Before its text, a command that failed says how. */
const EXIT = /^(?:Error: )?Exit code (\d+)\n?/;

export type Outcome = {
  /** null: shown as the result is. */
  readonly output: ReturnType<typeof textOf>;
  readonly errors: ReturnType<typeof textOf>;
  /** null: not said. */
  readonly code: number | null;
  readonly words: string;
};

/** null: it has not ended. */
export function readOutcome(row: ToolRow): Outcome | null {
  const { result } = row;
  if (result === null) return null;
  const detail = fieldsOf(result.detail);
  const text = textOfResult(result);
  if (result.isError) {
    const said = typeof text === "string" ? EXIT.exec(text) : null;
    const code = said === null ? null : Number(said[1]);
    const output = typeof text === "string" && said !== null ? text.slice(said[0].length) : null;
    return { output, errors: null, code, words: code === null ? "" : t("bash.exit", code) };
  }
  const stdout = textOf(detail["stdout"]);
  const stderr = textOf(detail["stderr"]);
  const base = { output: stdout, errors: stderr === "" ? null : stderr, code: 0 };
  if (typeof detail["backgroundTaskId"] === "string")
    return { ...base, words: t("bash.background", detail["backgroundTaskId"]) };
  if (detail["interrupted"] === true) return { ...base, code: null, words: t("bash.interrupted") };
  const kept = numberOf(detail["persistedOutputSize"]);
  if (kept !== null) return { ...base, words: t("bash.kept", formatBytes(kept)) };
  const isSilent = stdout === "" && base.errors === null && !isBlobRef(stdout);
  return { ...base, words: isSilent ? t("bash.silent") : t("bash.exit", 0) };
}
