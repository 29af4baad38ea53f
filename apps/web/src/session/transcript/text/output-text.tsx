/** What a program or a tool put out: its beginning and its end, and all of it for who asks. */
import { createMemo, createSignal, For, Match, Show, Switch, type JSX } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { Button } from "../../../ui/button.tsx";
import { formatBytes } from "../../../ui/format.ts";
import { AnsiText } from "../ansi/ansi-text.tsx";
import { CopyButton } from "../code/copy-button.tsx";
import { useFolds } from "../folds.ts";
import { createWholeText } from "./create-whole-text.ts";
import { cutPages, foldLines } from "./fold-lines.ts";

const PAGE_UNITS = 100_000;

export function OutputText(props: {
  readonly text: Text;
  /** Where it is remembered that it was unfolded. */
  readonly foldKey: string;
  readonly tone?: "error";
  /** How a piece of it is drawn; by itself as a terminal would. */
  readonly render?: (text: string) => JSX.Element;
}) {
  const folds = useFolds();
  const text = createWholeText(() => props.text);
  const isOpen = () => folds.isOpen(props.foldKey, false);
  const folded = createMemo(() => {
    const whole = text.whole();
    return whole === null || isOpen() ? null : foldLines(whole);
  });
  const draw = (piece: string) => props.render?.(piece) ?? <AnsiText text={piece} />;
  const open = async () => {
    await text.load();
    if (text.phase() !== "failed") folds.choose(props.foldKey, true);
  };
  return (
    <div class="output" data-tone={props.tone}>
      <pre dir="auto" tabindex="0">
        <Switch fallback={<Pages text={text.whole() ?? ""} draw={draw} />}>
          <Match when={text.missing()}>
            {(blob) => (
              <>
                {draw(blob().head)}
                <Cut
                  isBusy={text.phase() === "loading"}
                  onOpen={() => void open()}
                  label={t(
                    text.phase() === "failed" ? "text.loadAgain" : "text.showAll",
                    formatBytes(blob().size),
                  )}
                />
                {draw(blob().tail)}
              </>
            )}
          </Match>
          <Match when={folded()}>
            {(parts) => (
              <>
                {draw(parts().head)}
                <Cut
                  onOpen={() => void open()}
                  label={
                    parts().hiddenLines > 0
                      ? t("output.moreLines", parts().hiddenLines)
                      : t("output.more")
                  }
                />
                {draw(parts().tail)}
              </>
            )}
          </Match>
        </Switch>
      </pre>
      <Show when={text.whole() !== ""}>
        <div class="output-acts">
          <Show when={isOpen()}>
            <Button tone="quiet" onClick={() => folds.choose(props.foldKey, false)}>
              {t("output.less")}
            </Button>
          </Show>
          <Show when={text.whole()}>{(whole) => <CopyButton text={whole()} />}</Show>
        </div>
      </Show>
    </div>
  );
}

function Cut(props: {
  readonly label: string;
  readonly isBusy?: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <span class="cut">
      <Button tone="quiet" isBusy={props.isBusy ?? false} onClick={() => props.onOpen()}>
        {props.label}
      </Button>
    </span>
  );
}

/** A text of megabytes comes in pages: laid out at once it would hold up everything else. */
function Pages(props: { readonly text: string; readonly draw: (piece: string) => JSX.Element }) {
  const [shown, setShown] = createSignal(1);
  const pages = createMemo(() => cutPages(props.text, PAGE_UNITS));
  return (
    <>
      <For each={pages().slice(0, shown())}>{(page) => props.draw(page)}</For>
      <Show when={shown() < pages().length}>
        <Cut
          label={t("output.nextPage", shown(), pages().length)}
          onOpen={() => setShown((before) => before + 1)}
        />
      </Show>
    </>
  );
}
