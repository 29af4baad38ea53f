/** Where the conversation was compacted: what Claude knows of what is above is a summary from here on. */
import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { formatTime, formatTokens } from "../../ui/format.ts";
import type { NoticeRow } from "./row.ts";
import { Fold } from "./text/fold.tsx";
import { Prose } from "./text/prose.tsx";
import { fieldsOf, numberOf } from "./tools/fields.ts";

export function CompactedView(props: { readonly row: NoticeRow }) {
  const sizes = () => {
    const metadata = fieldsOf(props.row.raw);
    const [before, after] = [numberOf(metadata["pre_tokens"]), numberOf(metadata["post_tokens"])];
    return before === null || after === null
      ? null
      : t("compacted.sizes", formatTokens(before), formatTokens(after));
  };
  return (
    <div class="marker">
      <p>
        <strong>{t("notice.compacted")}</strong>
        <Show when={sizes()}>{(text) => <span> · {text()}</span>}</Show>
        <span> · </span>
        <time>{formatTime(props.row.at)}</time>
      </p>
      <p>{t("compacted.explain")}</p>
    </div>
  );
}

export function CompactSummaryView(props: { readonly row: NoticeRow }) {
  return (
    <Fold foldKey={props.row.key} class="thinking" label={t("notice.compact_summary")}>
      <div class="thinking-text">
        <Prose text={props.row.text} />
      </div>
    </Fold>
  );
}
