import { A } from "@solidjs/router";
import { onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { Icon } from "../ui/icon.tsx";
import { Mark } from "../ui/mark.tsx";

/** Beside the list, when nothing is open. On a narrow page the list is all there is. */
export function HomePage() {
  const { me } = useLodge();
  onMount(() => {
    document.title = t("app.name");
  });
  return (
    <div class="blank home">
      <Mark />
      <h2>{t("home.title", me().name)}</h2>
      <p>{t("home.choose")}</p>
      <A href="/new" class="button">
        <Icon name="plus" />
        {t("list.new")}
      </A>
      <Show when={!matchMedia("(pointer: coarse)").matches}>
        <p class="hint">
          <kbd>?</kbd> {t("home.keys")}
        </p>
      </Show>
    </div>
  );
}
