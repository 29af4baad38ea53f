/** The top of the transcript: what comes before it is loaded as one gets there; failing that, on demand. */
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { useSessionRoom } from "../session-context.ts";

/** Loaded before one gets to see that there is nothing yet. */
const AHEAD_PX = 3_000;
const PAGE = 300;

export function Earlier(props: {
  readonly scroller: HTMLElement | undefined;
  /** How many items there are: none yet means that it is not known what comes before them. */
  readonly size: number;
}) {
  const { session } = useSessionRoom();
  const [phase, setPhase] = createSignal<"ready" | "loading" | ApiError>("ready");
  const error = () => {
    const now = phase();
    return now instanceof ApiError ? now : null;
  };

  async function load() {
    if (phase() === "loading") return;
    setPhase("loading");
    try {
      await session.fetchHistory(PAGE);
      setPhase("ready");
    } catch (failure) {
      setPhase(failure instanceof ApiError ? failure : "ready");
    }
  }
  /** After a failure it waits to be asked. */
  const loadIfNear = (scroller: HTMLElement, isReady: boolean) => {
    if (!isReady || phase() !== "ready" || !session.hasEarlier()) return;
    if (scroller.scrollTop < AHEAD_PX) void load();
  };
  createEffect(
    on(
      () => props.scroller,
      (scroller) => {
        if (scroller === undefined) return;
        const onScroll = () => loadIfNear(scroller, props.size > 0);
        scroller.addEventListener("scroll", onScroll, { passive: true });
        onCleanup(() => scroller.removeEventListener("scroll", onScroll));
      },
    ),
  );
  // Where everything fits there is nothing to scroll: a page of folded work is soon read.
  createEffect(
    on([() => props.scroller, () => props.size], ([scroller, size]) => {
      if (scroller === undefined || size === 0) return;
      const frame = requestAnimationFrame(() => {
        if (scroller.scrollHeight <= scroller.clientHeight) loadIfNear(scroller, true);
      });
      onCleanup(() => cancelAnimationFrame(frame));
    }),
  );

  return (
    <div class="earlier">
      <Show when={session.hasEarlier()} fallback={<p>{t("transcript.beginning")}</p>}>
        <Show when={error()}>{(failure) => <p role="alert">{describeError(failure())}</p>}</Show>
        <Button tone="quiet" isBusy={phase() === "loading"} onClick={() => void load()}>
          {t(phase() === "loading" ? "transcript.loadingEarlier" : "transcript.earlier")}
        </Button>
      </Show>
    </div>
  );
}
