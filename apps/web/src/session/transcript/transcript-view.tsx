/**
 * The transcript in its own scroll: stays at the end while one is there, stays where one reads when
 * one is not, and keeps its place when earlier rows come in above.
 */
import { createEffect, createSignal, For, Index, on, onCleanup, onMount, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { useSessionRoom } from "../session-context.ts";
import { createTranscript } from "./create-transcript.ts";
import { RowView } from "./row-view.tsx";
import { WritingView } from "./writing-view.tsx";

/** Nearer to the end than this counts as there. */
const NEAR_PX = 48;

export function TranscriptView() {
  const { session } = useSessionRoom();
  const rows = createTranscript(session);
  const [isAtEnd, setIsAtEnd] = createSignal(true);
  let scroller: HTMLDivElement | undefined;
  let content: HTMLDivElement | undefined;

  const toEnd = () => scroller?.scrollTo({ top: scroller.scrollHeight });
  const onScroll = () => {
    if (scroller === undefined) return;
    setIsAtEnd(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX);
  };

  onMount(() => {
    if (content === undefined || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd()) toEnd();
    });
    observer.observe(content);
    if (scroller !== undefined) observer.observe(scroller);
    onCleanup(() => observer.disconnect());
  });
  // What one sends oneself is what one wants to see.
  createEffect(
    on(
      () => session.outgoing().length,
      (count, before) => count > (before ?? 0) && toEnd(),
    ),
  );

  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        ref={scroller}
        onScroll={onScroll}
        tabindex="0"
        role="log"
        aria-live="off"
        aria-label={t("transcript.label")}
      >
        <div class="transcript-content" ref={content}>
          <Show when={session.hasEarlier()}>
            <Earlier scroller={() => scroller} />
          </Show>
          <Show when={session.hydrationPhase() === "ready" && rows.length === 0}>
            <p class="empty">{t("transcript.empty")}</p>
          </Show>
          <For each={rows}>{(row) => <RowView row={row} />}</For>
          <Index each={session.writing()}>{(block) => <WritingView block={block()} />}</Index>
        </div>
      </div>
      <Show when={!isAtEnd()}>
        <div class="to-end">
          <Button onClick={toEnd}>{t("transcript.toEnd")}</Button>
        </div>
      </Show>
    </div>
  );
}

function Earlier(props: { readonly scroller: () => HTMLElement | undefined }) {
  const { session } = useSessionRoom();
  const [phase, setPhase] = createSignal<"ready" | "loading" | ApiError>("ready");
  const error = () => {
    const now = phase();
    return now instanceof ApiError ? now : null;
  };

  async function load() {
    const scroller = props.scroller();
    const fromBottom = scroller === undefined ? 0 : scroller.scrollHeight - scroller.scrollTop;
    setPhase("loading");
    try {
      await session.fetchHistory();
      setPhase("ready");
      // After the rows are in: what was read stays under the eyes.
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          scroller?.scrollTo({ top: scroller.scrollHeight - fromBottom }),
        ),
      );
    } catch (failure) {
      setPhase(failure instanceof ApiError ? failure : "ready");
    }
  }

  return (
    <div class="earlier">
      <Button tone="quiet" isBusy={phase() === "loading"} onClick={() => void load()}>
        {t("transcript.earlier")}
      </Button>
      <Show when={error()}>{(failure) => <p role="alert">{describeError(failure())}</p>}</Show>
    </div>
  );
}
