/**
 * A session's log as the items of the virtual list, touched only where the log changed them.
 *
 * What is appended is taken at once. What comes in before it changes how later rows are read (a call
 * whose result was there already, an input whose text was not), so the rows are made anew: beside the
 * old ones, a few milliseconds at a time, and shown when they are complete.
 */
import { batch, createEffect, createSignal, onCleanup, untrack, type Accessor } from "solid-js";
import type { SessionEvent } from "@lodge/protocol";
import type { Session } from "../../live/create-session.ts";
import type { Folds } from "./folds.ts";
import { ItemList, type Item } from "./item-list.ts";
import { Transcript } from "./transcript.ts";

/** Up to so many events are taken in one go. */
const AT_ONCE = 1_000;
const SLICE_EVENTS = 200;
const SLICE_MS = 6;

export type TranscriptItems = {
  readonly items: Accessor<readonly Item[]>;
  /** The last change put items before those that were there. */
  readonly isShift: Accessor<boolean>;
};

/** Rows of one stretch of the log, as far as they are taken. */
class Build {
  readonly transcript = new Transcript();
  readonly list = new ItemList();
  #first = 0;
  #next = 0;

  get firstSeq(): number {
    return this.#first;
  }
  get nextSeq(): number {
    return this.#next;
  }

  /** False: there is more than fits. Seqs have no gaps: that is how it finds its place in any stretch. */
  take(events: readonly SessionEvent[], isTimeUp: () => boolean = () => false): boolean {
    const first = events[0]?.seq;
    if (first === undefined) return true;
    if (this.#next === 0) {
      this.#first = first;
      this.#next = first;
    }
    while (this.#next - first < events.length) {
      const from = this.#next - first;
      const slice = events.slice(from, from + SLICE_EVENTS);
      this.list.take(this.transcript.rows, this.transcript.take(slice));
      this.#next += slice.length;
      if (isTimeUp()) return this.#next - first >= events.length;
    }
    return true;
  }
}

export function createTranscript(
  session: Pick<Session, "events" | "generation" | "version">,
  folds: Folds,
  /** One reads further up: nothing is to fold by itself there. */
  isReading: () => boolean = () => false,
): TranscriptItems {
  const [items, setItems] = createSignal<readonly Item[]>([]);
  const [isShift, setIsShift] = createSignal(false);
  let shown = new Build();
  let generation = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (shift: boolean) =>
    batch(() => {
      shown.list.publish();
      setIsShift(shift);
      setItems([...shown.list.items]);
    });

  function rebuild() {
    clearTimeout(timer);
    const next = new Build();
    const isLong = session.events().length > AT_ONCE;
    const isTimeUp = (until: number) => () => performance.now() > until;
    const step = () => {
      const isWhole = next.take(session.events(), isTimeUp(performance.now() + SLICE_MS));
      timer = setTimeout(isWhole ? finish : step);
    };
    const finish = () => {
      next.take(session.events());
      const isEarlier = shown.firstSeq > 0 && next.firstSeq < shown.firstSeq;
      batch(() => {
        next.list.succeed(shown.list, folds);
        shown = next;
        show(isEarlier);
      });
    };
    if (isLong) timer = setTimeout(step);
    else finish();
  }

  function append(events: readonly SessionEvent[]) {
    // Of a stretch that the rows on show do not belong to: they are being made anew.
    if (shown.firstSeq > 0 && (events[0]?.seq ?? 0) > shown.firstSeq) return;
    const open = isReading() ? shown.list.unfollowed : [];
    const before = shown.nextSeq;
    shown.take(events);
    if (shown.nextSeq === before) return;
    for (const group of open)
      if (group.isFollowed && group.hasHeading) folds.choose(group.key, true);
    show(false);
  }

  createEffect(() => {
    session.version();
    const events = session.events();
    untrack(() => {
      if (session.generation() === generation) return append(events);
      generation = session.generation();
      rebuild();
    });
  });
  onCleanup(() => clearTimeout(timer));

  return { items, isShift };
}
