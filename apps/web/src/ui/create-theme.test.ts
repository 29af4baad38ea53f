import { createRoot } from "solid-js";
import { expect, test } from "vitest";
import { createTheme } from "./create-theme.ts";

function memoryStore(held: Record<string, string> = {}) {
  const map = new Map(Object.entries(held));
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test("a theme that was chosen here is there again; system is no choice and leaves no trace", () => {
  createRoot((dispose) => {
    const store = memoryStore({ "lodge:theme": "dark" });
    const root = document.createElement("html");
    const { theme, setTheme } = createTheme(store, root);
    expect([theme(), root.dataset["theme"]]).toEqual(["dark", "dark"]);
    setTheme("light");
    expect([root.dataset["theme"], store.map.get("lodge:theme")]).toEqual(["light", "light"]);
    setTheme("system");
    expect([root.dataset["theme"], store.map.size]).toEqual([undefined, 0]);
    dispose();
  });
});

test("what stands in the store and is no theme, or a store that refuses, changes nothing", () => {
  createRoot((dispose) => {
    const root = document.createElement("html");
    expect(createTheme(memoryStore({ "lodge:theme": "pink" }), root).theme()).toBe("system");
    const refuse = () => {
      throw new Error("forbidden");
    };
    const { theme, setTheme } = createTheme(
      { getItem: refuse, setItem: refuse, removeItem: refuse },
      root,
    );
    setTheme("dark");
    expect([theme(), root.dataset["theme"]]).toEqual(["dark", "dark"]);
    dispose();
  });
});
