/** What of the sessions is shown, and in which order: what waits for a person stands first. */
import type { SessionListItem } from "@lodge/protocol";

export const FILTERS = ["active", "needsMe", "running", "archived"] as const;
export type Filter = (typeof FILTERS)[number];

export function passesFilter(item: SessionListItem, filter: Filter): boolean {
  if (item.deleted) return false;
  switch (filter) {
    case "active":
      return !item.archived;
    case "needsMe":
      return !item.archived && item.needsMe > 0;
    case "running":
      return !item.archived && item.status !== "idle";
    case "archived":
      return item.archived;
  }
}

export function orderSessions(items: readonly SessionListItem[]): readonly SessionListItem[] {
  return items.toSorted(
    (a, b) =>
      Number(b.needsMe > 0) - Number(a.needsMe > 0) ||
      b.lastEventAt - a.lastEventAt ||
      (a.id < b.id ? 1 : -1),
  );
}
