/**
 * Whether the transcript follows its end. It does from the start and whenever one is there; it stops
 * when one moves up, and only then: content that grows or is measured moves nobody away.
 */
import { createSignal, onCleanup, type Accessor } from "solid-js";

/** Nearer to the end than this counts as there. */
const NEAR_PX = 48;

export type Stick = {
  readonly isAtEnd: Accessor<boolean>;
  readonly toEnd: () => void;
  readonly watch: (scroller: HTMLElement, content: HTMLElement) => void;
};

export function createStick(): Stick {
  const [isAtEnd, setIsAtEnd] = createSignal(true);
  let scroller: HTMLElement | null = null;
  let lastTop = 0;
  let lastHeight = 0;

  const pin = () => {
    if (scroller === null || !isAtEnd()) return;
    scroller.scrollTop = scroller.scrollHeight;
  };
  const onScroll = () => {
    if (scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // Up by a hand: the content did not shrink under it.
    const isUp = scrollTop < lastTop - 1 && scrollHeight >= lastHeight;
    if (isNear) setIsAtEnd(true);
    else if (isUp) setIsAtEnd(false);
    lastTop = scrollTop;
    lastHeight = scrollHeight;
  };

  return {
    isAtEnd,
    toEnd: () => {
      setIsAtEnd(true);
      pin();
    },
    watch: (element, content) => {
      scroller = element;
      element.addEventListener("scroll", onScroll, { passive: true });
      onCleanup(() => element.removeEventListener("scroll", onScroll));
      if (typeof ResizeObserver === "undefined") return;
      const observer = new ResizeObserver(pin);
      observer.observe(content);
      observer.observe(element);
      onCleanup(() => observer.disconnect());
    },
  };
}
