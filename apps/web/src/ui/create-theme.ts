/** Light, dark, or as the system has it: chosen by the person, kept in this browser. `public/theme.js` reads it first. */
import { createRoot, createSignal, type Accessor } from "solid-js";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "lodge:theme";
type ThemeStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function createTheme(
  store: ThemeStore,
  root: HTMLElement,
): { readonly theme: Accessor<Theme>; readonly setTheme: (theme: Theme) => void } {
  const first = read(store);
  const [theme, setTheme] = createSignal<Theme>(first);
  const show = (next: Theme) => {
    if (next === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = next;
  };
  show(first);
  return {
    theme,
    setTheme: (next) => {
      setTheme(next);
      show(next);
      try {
        if (next === "system") store.removeItem(KEY);
        else store.setItem(KEY, next);
      } catch {
        // Full or forbidden: the choice lasts as long as the page.
      }
    },
  };
}

function read(store: ThemeStore): Theme {
  try {
    return THEMES.find((theme) => theme === store.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

let shared: ReturnType<typeof createTheme> | null = null;

/** The page has one theme, whoever asks. */
export function useTheme(): ReturnType<typeof createTheme> {
  shared ??= createRoot(() => createTheme(localStorage, document.documentElement));
  return shared;
}
