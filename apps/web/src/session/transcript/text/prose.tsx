/** What the model says: Markdown, however long; a text that did not fit into the log by its two ends. */
import { Show } from "solid-js";
import type { Text } from "@lodge/protocol";
import { t } from "../../../i18n/t.ts";
import { Button } from "../../../ui/button.tsx";
import { formatBytes } from "../../../ui/format.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { createWholeText } from "./create-whole-text.ts";

export function Prose(props: { readonly text: Text }) {
  const text = createWholeText(() => props.text);
  return (
    <Show when={text.missing()} fallback={<Markdown text={text.whole() ?? ""} />}>
      {(blob) => (
        <>
          <Markdown text={blob().head} />
          <span class="cut">
            <Button
              tone="quiet"
              isBusy={text.phase() === "loading"}
              onClick={() => void text.load()}
            >
              {t(
                text.phase() === "failed" ? "text.loadAgain" : "text.showAll",
                formatBytes(blob().size),
              )}
            </Button>
          </span>
          <Markdown text={blob().tail} />
        </>
      )}
    </Show>
  );
}
