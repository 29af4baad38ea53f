/** A change as a unified diff. Signs as well as colours say what went and what came. */
import { createMemo, For, Show } from "solid-js";
import { t } from "../../../i18n/t.ts";
import { Button } from "../../../ui/button.tsx";
import { VisibleText } from "../../../ui/visible-text.tsx";
import { useFolds } from "../folds.ts";
import type { DiffHunk, DiffLine } from "./diff-lines.ts";

const FOLD_LINES = 60;
const STEP_LINES = 600;
/** A line is cut here: a file of one line is not read in a diff. */
const LINE_UNITS = 2_000;

export function DiffView(props: {
  readonly hunks: readonly DiffHunk[];
  readonly foldKey: string;
  /** What the diff is of, for who cannot see it. */
  readonly label: string;
}) {
  const folds = useFolds();
  const total = () => props.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const isOpen = () => folds.isOpen(props.foldKey, false);
  const hunks = createMemo(() => clip(props.hunks, isOpen() ? STEP_LINES : FOLD_LINES));
  const shown = () => hunks().reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <div class="diff">
      <div class="diff-scroll" tabindex="0" role="group" aria-label={t("diff.label", props.label)}>
        <table dir="ltr">
          <For each={hunks()}>
            {(hunk) => (
              <tbody>
                <For each={hunk.lines}>{(line) => <Line line={line} />}</For>
              </tbody>
            )}
          </For>
        </table>
      </div>
      <Show when={shown() < total()}>
        <Show
          when={!isOpen()}
          fallback={<p class="diff-more">{t("diff.tooLong", total() - shown())}</p>}
        >
          <div class="diff-more">
            <Button tone="quiet" onClick={() => folds.choose(props.foldKey, true)}>
              {t("output.moreLines", total() - shown())}
            </Button>
          </div>
        </Show>
      </Show>
    </div>
  );
}

function Line(props: { readonly line: DiffLine }) {
  return (
    <tr data-kind={props.line.kind}>
      <td class="diff-number" aria-hidden="true">
        {props.line.before}
      </td>
      <td class="diff-number" aria-hidden="true">
        {props.line.after}
      </td>
      <td class="diff-sign">
        <span aria-hidden="true">{SIGN[props.line.kind]}</span>
        <Show when={props.line.kind === "removed" || props.line.kind === "added"}>
          <span class="visually-hidden">
            {t(props.line.kind === "added" ? "diff.added" : "diff.removed")}
          </span>
        </Show>
      </td>
      <td class="diff-text">
        <VisibleText text={cut(props.line.text)} />
      </td>
    </tr>
  );
}

const SIGN = { same: "", removed: "−", added: "+", note: "" } as const;

const cut = (text: string): string =>
  text.length > LINE_UNITS ? `${text.slice(0, LINE_UNITS)} …` : text;

function clip(hunks: readonly DiffHunk[], most: number): readonly DiffHunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ lines }];
  });
}
