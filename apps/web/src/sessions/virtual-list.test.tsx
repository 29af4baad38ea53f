import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { VirtualList } from "./virtual-list.tsx";

let dispose: () => void = () => undefined;
afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

function open(count: number) {
  const build = (n: number) => Array.from({ length: n }, (_, index) => ({ id: `s${index}` }));
  const [items, setItems] = createSignal(build(count));
  let asked = 0;
  const host = document.body.appendChild(document.createElement("div"));
  dispose = render(
    () => (
      <VirtualList label="All" items={items()} rowHeight={3} onNearEnd={() => asked++}>
        {(item) => <a href="#">{item().id}</a>}
      </VirtualList>
    ),
    host,
  );
  const viewport = host.querySelector<HTMLElement>(".virtual") as HTMLElement;
  return {
    rows: () => [...host.querySelectorAll<HTMLElement>("[data-row]")],
    scrollTo: (px: number) => {
      viewport.scrollTop = px;
      viewport.dispatchEvent(new Event("scroll"));
    },
    setItems,
    build,
    asked: () => asked,
  };
}

test("of 5,000 only those in sight are on the page, and each says which it is", () => {
  const page = open(5000);
  expect(page.rows().length).toBeLessThan(50);
  page.scrollTo(2500 * 48);
  const middle = page.rows()[10];
  expect(page.rows().length).toBeLessThan(50);
  expect(Number(middle?.getAttribute("aria-posinset"))).toBeGreaterThan(2480);
  expect(middle?.getAttribute("aria-setsize")).toBe("5000");
});

test("the row with the focus stays on the page, wherever one scrolls", () => {
  const page = open(5000);
  const link = page.rows()[2]?.querySelector("a");
  link?.focus();
  page.scrollTo(3000 * 48);
  expect(document.activeElement).toBe(link);
  expect(page.rows()[0]?.dataset["row"]).toBe("s2");
});

test("more is asked for near the end, and not before", () => {
  const page = open(500);
  expect(page.asked()).toBe(0);
  page.scrollTo(490 * 48);
  expect(page.asked()).toBe(1);
});

test("a row that moves keeps its element, and with it the focus", () => {
  const page = open(10);
  const link = page.rows()[5]?.querySelector("a");
  link?.focus();
  page.setItems([{ id: "s5" }, ...page.build(5), ...page.build(10).slice(6)]);
  expect(page.rows()[0]?.querySelector("a")).toBe(link);
  expect(document.activeElement).toBe(link);
});

test("arrow keys walk the list", () => {
  const page = open(5);
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
    );
  page.rows()[0]?.querySelector("a")?.focus();
  press("ArrowDown");
  press("ArrowDown");
  press("ArrowUp");
  expect(document.activeElement?.textContent).toBe("s1");
});
