/**
 * The transcript in its own scroll: of a long one only what is near the window is on the page. Stays
 * at the end while one is there, stays where one reads when one is not, and keeps its place when
 * earlier rows come in above.
 */
import { createEffect, createMemo, createSignal, Index, on, onMount, Show } from "solid-js";
import { Virtualizer } from "virtua/solid";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { useSessionRoom } from "../session-context.ts";
import { Announcer } from "./announcer.tsx";
import { createStick } from "./create-stick.ts";
import { createTranscript } from "./create-transcript.ts";
import { Earlier } from "./earlier.tsx";
import { Folds, FoldsContext } from "./folds.ts";
import { GroupView } from "./group-view.tsx";
import type { Item } from "./item-list.ts";
import { loadMarkdown } from "./markdown/markdown.tsx";
import { RowHandle } from "./row-handle.ts";
import { RowView } from "./row-view.tsx";
import { WritingView } from "./writing-view.tsx";

/** Beyond the window on either side: enough for find-in-page and a quick wheel, little enough to paint. */
const SPARE_PX = 800;
/** The height of what stands above the first row; in the style sheet too. */
const TOP_PX = 56;

export function TranscriptView() {
  const { session } = useSessionRoom();
  loadMarkdown();
  const folds = new Folds();
  const stick = createStick();
  const { items, isShift } = createTranscript(session, folds, () => !stick.isAtEnd());
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  let content: HTMLDivElement | undefined;
  const isEmpty = () => session.hydrationPhase() === "ready" && items().length === 0;

  onMount(() => {
    const element = scroller();
    if (element !== undefined && content !== undefined) stick.watch(element, content);
  });
  // What one sends oneself is what one wants to see.
  createEffect(
    on(
      () => session.outgoing().length,
      (count, before) => count > (before ?? 0) && stick.toEnd(),
    ),
  );
  const focused = createFocusKeeper(items);

  return (
    <FoldsContext.Provider value={folds}>
      <div class="transcript-frame">
        <div
          class="transcript"
          ref={setScroller}
          tabindex="0"
          role="log"
          aria-live="off"
          aria-label={t("transcript.label")}
          onFocusIn={focused.onFocusIn}
          onFocusOut={focused.onFocusOut}
        >
          <div class="transcript-content" ref={content}>
            <Earlier scroller={scroller()} size={items().length} />
            <Show when={isEmpty()}>
              <p class="empty">{t("transcript.empty")}</p>
            </Show>
            <Show when={scroller()}>
              {(element) => (
                <Virtualizer
                  data={items()}
                  scrollRef={element()}
                  shift={isShift()}
                  startMargin={TOP_PX}
                  bufferSize={SPARE_PX}
                  keepMounted={focused.places()}
                >
                  {(item) => <ItemView item={item} />}
                </Virtualizer>
              )}
            </Show>
            <div class="transcript-writing">
              <Index each={session.writing()}>{(block) => <WritingView block={block()} />}</Index>
            </div>
          </div>
        </div>
        <Show when={!stick.isAtEnd()}>
          <div class="to-end">
            <Button onClick={stick.toEnd}>{t("transcript.toEnd")}</Button>
          </div>
        </Show>
        <Announcer session={session} />
      </div>
    </FoldsContext.Provider>
  );
}

function ItemView(props: { readonly item: Item }) {
  return (
    <div class="transcript-item" data-key={props.item.key}>
      <Show
        when={props.item instanceof RowHandle && props.item}
        fallback={<GroupView group={props.item as Exclude<Item, RowHandle>} />}
      >
        {(handle) => <RowView row={handle().row} />}
      </Show>
    </div>
  );
}

/** The item that has the focus stays on the page however far one scrolls from it. */
function createFocusKeeper(items: () => readonly Item[]) {
  const [key, setKey] = createSignal<string | null>(null);
  const places = createMemo(() => {
    const kept = key();
    if (kept === null) return [];
    const place = items().findLastIndex((item) => item.key === kept);
    return place < 0 ? [] : [place];
  });
  return {
    places,
    onFocusIn: (event: FocusEvent) => {
      const target = event.target as Element;
      setKey(target.closest<HTMLElement>("[data-key]")?.dataset["key"] ?? null);
    },
    onFocusOut: () => setKey(null),
  };
}
