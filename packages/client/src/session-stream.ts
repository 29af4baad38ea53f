/** A FrameSource that opens one stream per session (`GET /api/sessions/:id/events`): for tools that follow one. */
import type { Effects } from "./effects.ts";
import { isSessionFrame, type FrameSource } from "./frame-source.ts";
import type { HttpClient } from "./http-client.ts";
import { createSseClient } from "./sse-client.ts";

export function createSessionStream(options: {
  readonly http: Pick<HttpClient, "open">;
  readonly effects: Effects;
}): FrameSource {
  return {
    watch(sessionId, watcher) {
      const path = `/api/sessions/${encodeURIComponent(sessionId)}/events`;
      const client = createSseClient({
        ...options,
        path: () => `${path}?after=${watcher.cursor()}`,
        onFrame: (frame) => {
          if (isSessionFrame(frame)) watcher.onFrame(frame);
        },
        onState: watcher.onConnection,
      });
      return {
        resync: client.reconnect,
        reconnect: client.reconnect,
        close: () => client.end("closed"),
      };
    },
  };
}
