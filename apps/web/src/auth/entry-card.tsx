import type { JSX } from "solid-js";
import { t } from "../i18n/t.ts";
import { Mark } from "../ui/mark.tsx";

/** The frame of the pages before one is in. */
export function EntryCard(props: { readonly title: string; readonly children: JSX.Element }) {
  return (
    <main class="entry">
      <div class="entry-card">
        <p class="entry-brand">
          <Mark /> {t("app.name")}
        </p>
        <h1>{props.title}</h1>
        {props.children}
      </div>
    </main>
  );
}
