/** A FrameSource of which the test is the server: frames wait in a queue until they are delivered. */
import type { SessionEvent } from "@lodge/protocol";
import type { FrameSource, FrameWatcher, SessionFrame } from "../frame-source.ts";
import { asFrame, heartbeat, serve } from "./build-log.ts";

export function makeFakeSource(limits?: { readonly tail: number; readonly replay: number }) {
  const log: SessionEvent[] = [];
  let queue: SessionFrame[] = [];
  let watcher: FrameWatcher | null = null;
  let watches = 0;

  const begin = () => {
    watches += 1;
    queue.push(...serve(log, watcher?.cursor() ?? 0, limits));
  };
  const source: FrameSource = {
    watch: (_sessionId, given) => {
      watcher = given;
      begin();
      return {
        resync: begin,
        reconnect: begin,
        close: () => {
          watcher = null;
        },
      };
    },
  };
  const deliver = () => {
    const frame = queue.shift();
    if (frame === undefined || watcher === null) return;
    if (frame.event === "snapshot") watcher.onConnection({ kind: "live", since: 0 });
    watcher.onFrame(frame);
  };

  return {
    source,
    log,
    watches: () => watches,
    isWatched: () => watcher !== null,
    pending: () => queue.length,
    /** Commits events and pushes them to the viewer. */
    append: (events: readonly SessionEvent[]) => {
      log.push(...events);
      queue.push(...events.map(asFrame));
    },
    push: (...frames: readonly SessionFrame[]) => void queue.push(...frames),
    beat: () => void queue.push(heartbeat(log.length)),
    deliver,
    deliverAll: () => {
      while (queue.length > 0) deliver();
    },
    drop: () => void queue.shift(),
    duplicate: () => {
      const frame = queue[0];
      if (frame !== undefined) queue.unshift(frame);
    },
    swap: () => {
      const [first, second, ...rest] = queue;
      if (first !== undefined && second !== undefined) queue = [second, first, ...rest];
    },
    /** The connection breaks, taking what was under way with it, and comes back. */
    breakConnection: () => {
      queue = [];
      watcher?.onConnection({ kind: "waiting", until: 0, attempt: 1, cause: "cut" });
      if (watcher !== null) begin();
    },
  };
}
