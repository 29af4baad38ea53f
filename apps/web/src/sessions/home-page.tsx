import { A } from "@solidjs/router";
import { t } from "../i18n/t.ts";

/** Beside the list, when nothing is open. On a narrow page the list is all there is. */
export function HomePage() {
  return (
    <div class="blank home">
      <p>{t("home.choose")}</p>
      <A href="/new">{t("list.new")}</A>
    </div>
  );
}
