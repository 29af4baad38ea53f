import { A } from "@solidjs/router";
import { t } from "../i18n/t.ts";

export function SessionGone() {
  return (
    <div class="blank">
      <h1>{t("session.gone")}</h1>
      <p>{t("session.goneWhy")}</p>
      <A href="/">{t("session.backToList")}</A>
    </div>
  );
}
