/**
 * A list of rows of one height, of which only those in sight are on the page, so that thousands
 * cost no more than twenty. Rows are kept by id; the one with the focus stays wherever one scrolls.
 */
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  on,
  onCleanup,
  onMount,
  type JSX,
} from "solid-js";

const SPARE_ROWS = 8;
/** Before the page has been laid out. */
const FIRST_ROWS = 24;

export function VirtualList<T extends { readonly id: string }>(props: {
  readonly label: string;
  readonly items: readonly T[];
  /** In rem: the list's rows are all this high. */
  readonly rowHeight: number;
  readonly onNearEnd: () => void;
  readonly children: (item: () => T, id: string) => JSX.Element;
}) {
  let viewport: HTMLDivElement | undefined;
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(0);
  const [focusedId, setFocusedId] = createSignal<string | null>(null);
  const rowPx = () =>
    props.rowHeight *
    (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);

  onMount(() => {
    const measure = () => setHeight(viewport?.clientHeight ?? 0);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    if (viewport !== undefined) observer.observe(viewport);
    onCleanup(() => observer.disconnect());
  });

  const byId = createMemo(() => new Map(props.items.map((item) => [item.id, item])));
  const indexOf = createMemo(() => new Map(props.items.map((item, index) => [item.id, index])));
  const range = createMemo(() => {
    const first = Math.max(0, Math.floor(top() / rowPx()) - SPARE_ROWS);
    const rows = height() === 0 ? FIRST_ROWS : Math.ceil(height() / rowPx()) + 2 * SPARE_ROWS;
    return { first, last: Math.min(props.items.length, first + rows) };
  });
  /** An element that is moved loses the focus: who had it before the rows were put in order. */
  let held: HTMLElement | null = null;
  /** In the order of the list, so that tabbing goes as it looks. */
  const ids = createMemo(() => {
    const { activeElement } = document;
    held =
      activeElement instanceof HTMLElement && viewport?.contains(activeElement)
        ? activeElement
        : null;
    const { first, last } = range();
    const shown = props.items.slice(first, last).map((item) => item.id);
    const kept = focusedId();
    const at = kept === null ? undefined : indexOf().get(kept);
    if (kept === null || at === undefined) return shown;
    if (at < first) return [kept, ...shown];
    return at >= last ? [...shown, kept] : shown;
  });

  createEffect(
    on(ids, () => {
      if (held?.isConnected && document.activeElement !== held) held.focus({ preventScroll: true });
    }),
  );
  createEffect(() => {
    if (range().last >= props.items.length - SPARE_ROWS) props.onNearEnd();
  });

  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const id = focusedId();
    if (step === undefined || id === null || !(event.target instanceof HTMLAnchorElement)) return;
    const next = props.items[(indexOf().get(id) ?? 0) + step];
    if (next === undefined) return;
    event.preventDefault();
    setFocusedId(next.id);
    const row = [...(viewport?.querySelectorAll<HTMLElement>("[data-row]") ?? [])]
      .find((one) => one.dataset["row"] === next.id)
      ?.querySelector<HTMLElement>("a");
    row?.focus({ preventScroll: true });
    row?.scrollIntoView?.({ block: "nearest" });
  }

  return (
    <div
      class="virtual"
      ref={viewport}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={move}
      onFocusIn={(event) =>
        setFocusedId(event.target.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? null)
      }
      onFocusOut={() => setFocusedId(null)}
    >
      <ul aria-label={props.label} style={{ height: `${props.items.length * props.rowHeight}rem` }}>
        <For each={ids()}>
          {(id) => (
            <li
              data-row={id}
              aria-setsize={props.items.length}
              aria-posinset={(indexOf().get(id) ?? 0) + 1}
              style={{
                height: `${props.rowHeight}rem`,
                transform: `translateY(${(indexOf().get(id) ?? 0) * props.rowHeight}rem)`,
              }}
            >
              {props.children(() => byId().get(id) as T, id)}
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}
