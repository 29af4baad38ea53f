/**
 * Rows as the virtual list has them: an item for each row that stands by itself, and one for each
 * piece of work. Items only come at the end (or, all anew, before the first): the list measures them
 * by their place.
 *
 * Items are the same objects for as long as they are there: their elements are kept by them.
 */
import { untrack } from "solid-js";
import type { Folds } from "./folds.ts";
import { isStep } from "./grouping.ts";
import { RowHandle } from "./row-handle.ts";
import type { Row } from "./row.ts";
import { StepGroup } from "./step-group.ts";

export type Item = RowHandle | StepGroup;

export class ItemList {
  #items: Item[] = [];
  #handles: RowHandle[] = [];
  /** The piece of work that a step belongs to, by the step's key. */
  readonly #groups = new Map<string, StepGroup>();
  #last: StepGroup | null = null;
  #unfollowed: StepGroup[] = [];
  #changed = new Set<StepGroup>();

  get items(): readonly Item[] {
    return this.#items;
  }
  get size(): number {
    return this.#items.length;
  }
  /** Pieces of work that a message would fold. */
  get unfollowed(): readonly StepGroup[] {
    return this.#unfollowed;
  }

  /** Takes the top-level rows at these places, in order: they are new or changed. */
  take(rows: readonly Row[], places: readonly number[]): void {
    for (const place of places) {
      const row = rows[place];
      if (row === undefined) continue;
      const handle = this.#handles[place];
      if (handle === undefined) this.#add(row);
      else this.#change(handle, row);
    }
  }

  /** Makes what was taken seen. */
  publish(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    for (const group of changed) group.publish();
  }

  #change(handle: RowHandle, row: Row): void {
    const group = this.#groups.get(handle.key);
    if (group !== undefined) {
      group.count(handle.current, -1);
      group.count(row, 1);
      this.#changed.add(group);
    }
    handle.put(row);
  }

  #add(row: Row): void {
    const handle = new RowHandle(row);
    this.#handles.push(handle);
    if (!isStep(row)) {
      this.#last = null;
      if (row.kind === "text" || row.kind === "input" || row.kind === "tool") this.#follow();
      this.#items.push(handle);
      return;
    }
    if (this.#last === null) {
      this.#last = new StepGroup(handle.key);
      this.#items.push(this.#last);
      this.#unfollowed.push(this.#last);
    }
    this.#last.add(handle);
    this.#groups.set(handle.key, this.#last);
    this.#changed.add(this.#last);
  }

  #follow(): void {
    for (const group of this.#unfollowed) {
      group.follow();
      this.#changed.add(group);
    }
    this.#unfollowed = [];
  }

  /**
   * Takes the place of an older list: rows keep their handles, pieces of work that begin where they
   * began keep their object, and what one could see of the first one, which may have a longer
   * beginning now, stays seen.
   */
  succeed(before: ItemList, folds: Folds): void {
    const handles = new Map(before.#handles.map((handle) => [handle.key, handle]));
    const groups = new Map<string, StepGroup>();
    for (const item of before.#items) if (item instanceof StepGroup) groups.set(item.key, item);
    const sameRow = (handle: RowHandle): RowHandle => {
      const old = handles.get(handle.key);
      old?.put(handle.current);
      return old ?? handle;
    };
    const sameGroup = (group: StepGroup): StepGroup => groups.get(group.key) ?? group;

    this.#handles = this.#handles.map(sameRow);
    this.#items = this.#items.map((item) => {
      if (item instanceof RowHandle) return handles.get(item.key) ?? item;
      const group = sameGroup(item);
      group.become(item, (step) => handles.get(step.key) ?? step);
      this.#changed.add(group);
      return group;
    });
    for (const [key, group] of this.#groups) this.#groups.set(key, sameGroup(group));
    this.#unfollowed = this.#unfollowed.map(sameGroup);
    this.#last = this.#last === null ? null : sameGroup(this.#last);
    const [first] = before.#items;
    if (first instanceof StepGroup) this.#keepOpen(first, folds);
  }

  #keepOpen(first: StepGroup, folds: Folds): void {
    untrack(() => {
      const step = first.steps[0];
      const group = step === undefined ? undefined : this.#groups.get(step.key);
      if (group === undefined || group === first) return;
      if (!first.hasHeading || folds.isOpen(first.key, !first.isFollowed))
        folds.choose(group.key, true);
    });
  }
}
