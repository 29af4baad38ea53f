import { For } from "solid-js";
import { t, type TextKey } from "../i18n/t.ts";
import { Dialog } from "./dialog.tsx";

type Row = readonly [what: TextKey, keys: readonly (readonly string[])[]];
const GROUPS: readonly { readonly title: TextKey; readonly rows: readonly Row[] }[] = [
  {
    title: "keys.anywhere",
    rows: [
      ["keys.thisHelp", [["?"]]],
      ["keys.newSession", [["c"]]],
      ["keys.search", [["/"]]],
      ["keys.nextNeedsMe", [["n"]]],
    ],
  },
  {
    title: "keys.inSession",
    rows: [
      ["keys.write", [["i"]]],
      ["keys.prompt", [["p"]]],
      ["keys.stop", [["Esc"]]],
      ["keys.mode", [["m"]]],
    ],
  },
  {
    title: "keys.whileWriting",
    rows: [
      ["keys.send", [["Enter"]]],
      ["keys.newLine", [["Shift", "Enter"]]],
      ["keys.steer", [["Ctrl", "Enter"]]],
      ["keys.commands", [["/"]]],
      ["keys.lastQueued", [["↑"]]],
    ],
  },
  {
    title: "keys.inList",
    rows: [
      ["keys.listMove", [["↓"], ["↑"]]],
      ["keys.listOpen", [["Enter"]]],
    ],
  },
];

export function ShortcutsDialog(props: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog isOpen={props.isOpen} title={t("keys.title")} size="wide" onClose={props.onClose}>
      <div class="keys">
        <For each={GROUPS}>
          {(group) => (
            <section>
              <h3>{t(group.title as "keys.title")}</h3>
              <dl>
                <For each={group.rows}>
                  {([what, keys]) => (
                    <div>
                      <dt>{t(what as "keys.title")}</dt>
                      <dd>
                        <For each={keys}>
                          {(combination, index) => (
                            <>
                              {index() > 0 ? ` ${t("keys.or")} ` : ""}
                              <For each={combination}>
                                {(key, at) => (
                                  <>
                                    {at() > 0 ? "+" : ""}
                                    <kbd>{key}</kbd>
                                  </>
                                )}
                              </For>
                            </>
                          )}
                        </For>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
      <p class="hint">{t("keys.note")}</p>
    </Dialog>
  );
}
