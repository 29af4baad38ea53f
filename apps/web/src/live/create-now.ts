import { createSignal, onCleanup, type Accessor } from "solid-js";

/** The time, moving once a second while the page is seen. */
export function createNow(now: () => number): Accessor<number> {
  const [value, setValue] = createSignal(now());
  const tick = () => {
    if (document.visibilityState === "visible") setValue(now());
  };
  const timer = setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  });
  return value;
}
