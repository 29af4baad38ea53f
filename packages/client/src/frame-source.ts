/**
 * Where a session's frames come from: a stream of its own, a share of the browser's one stream, or
 * (behind a port) a stream that another tab or a worker holds.
 *
 * The agreement: after every time `onConnection` told something other than "live", and after
 * `resync`, the next frame that counts is a snapshot, taken for the cursor asked for at that time.
 */
import type { Seq, SessionId, SseFrame } from "@lodge/protocol";
import type { ConnectionState } from "./connection-state.ts";

export type SessionFrame = Extract<
  SseFrame,
  { readonly event: "snapshot" | "session" | "delta" | "heartbeat" }
>;

export type FrameWatcher = {
  /** The last seq held without a gap; 0: none. */
  readonly cursor: () => Seq;
  readonly onFrame: (frame: SessionFrame) => void;
  readonly onConnection: (state: ConnectionState) => void;
};

export type Watch = {
  /** Begin again from the cursor: something was missed. */
  readonly resync: () => void;
  /** Try now instead of waiting; a person asked. */
  readonly reconnect: () => void;
  readonly close: () => void;
};

export type FrameSource = {
  readonly watch: (sessionId: SessionId, watcher: FrameWatcher) => Watch;
};

export function isSessionFrame(frame: SseFrame): frame is SessionFrame {
  return (
    frame.event === "snapshot" ||
    frame.event === "session" ||
    frame.event === "delta" ||
    frame.event === "heartbeat"
  );
}
