/** Who is told when a row of the session list changes: every stream of the session's owner. */
import type { SessionListItem } from "@lodge/protocol";

export type ListFeed = {
  publish(ownerId: string, item: SessionListItem): void;
  subscribe(ownerId: string, listener: (item: SessionListItem) => void): () => void;
};

export function createListFeed(): ListFeed {
  const byOwner = new Map<string, Set<(item: SessionListItem) => void>>();
  return {
    publish(ownerId, item) {
      for (const listener of byOwner.get(ownerId) ?? []) listener(item);
    },
    subscribe(ownerId, listener) {
      const listeners = byOwner.get(ownerId) ?? new Set();
      byOwner.set(ownerId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byOwner.get(ownerId) === listeners) byOwner.delete(ownerId);
      };
    },
  };
}
