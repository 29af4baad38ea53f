/** What was typed and not sent, kept on this device until it is. */
import { createSignal, type Accessor } from "solid-js";

export type DraftStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const PREFIX = "lodge:draft:";

export function createDraft(
  store: DraftStore,
  key: string,
): { readonly text: Accessor<string>; readonly setText: (text: string) => void } {
  const name = `${PREFIX}${key}`;
  const [text, setText] = createSignal(read(store, name));
  return {
    text,
    setText: (next) => {
      setText(next);
      try {
        if (next === "") store.removeItem(name);
        else store.setItem(name, next);
      } catch {
        // Full or forbidden: the draft lives as long as the page.
      }
    },
  };
}

/** Nothing that was typed here stays behind for the next person at this device. */
export function forgetDrafts(storage: Storage): void {
  for (const name of Object.keys(storage)) if (name.startsWith(PREFIX)) storage.removeItem(name);
}

function read(store: DraftStore, name: string): string {
  try {
    return store.getItem(name) ?? "";
  } catch {
    return "";
  }
}
