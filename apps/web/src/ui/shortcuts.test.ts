import { afterEach, expect, test } from "vitest";
import { handleShortcut } from "./shortcuts.ts";

afterEach(() => document.body.replaceChildren());

function press(on: Element, key: string, init: KeyboardEventInit = {}) {
  const acted: string[] = [];
  const listen = (event: KeyboardEvent) =>
    handleShortcut(event, [
      { key: "c", act: () => acted.push("c") },
      { key: "Escape", isEverywhere: true, act: () => acted.push("Escape") },
    ]);
  document.addEventListener("keydown", listen);
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
  document.removeEventListener("keydown", listen);
  return acted;
}

test("a key acts on the page, and not while somebody writes", () => {
  const field = document.body.appendChild(document.createElement("textarea"));
  expect(press(document.body, "c")).toEqual(["c"]);
  expect(press(field, "c")).toEqual([]);
  expect(press(field, "Escape")).toEqual(["Escape"]);
});

test("the system's own keys are left alone, and so is all under a dialog or a menu", () => {
  expect(press(document.body, "c", { ctrlKey: true })).toEqual([]);
  expect(press(document.body, "c", { metaKey: true })).toEqual([]);
  expect(press(document.body, "c", { isComposing: true })).toEqual([]);
  const dialog = document.body.appendChild(document.createElement("div"));
  dialog.setAttribute("role", "dialog");
  expect(press(document.body, "c")).toEqual([]);
  expect(press(dialog, "Escape")).toEqual([]);
});
