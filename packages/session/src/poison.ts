import type { SessionEvent } from "@lodge/protocol";

/**
 * What stands in the log where an event stood that the store refused: the same seq, so that the
 * log stays gapless; the bytes it came from are in the raw store.
 */
export function poisonNotice(event: SessionEvent, reason: string): SessionEvent {
  return {
    seq: event.seq,
    sessionId: event.sessionId,
    runId: event.runId,
    at: event.at,
    type: "notice",
    source: "api",
    by: null,
    data: {
      kind: "poison",
      level: "error",
      text: `An event of type ${event.type} could not be stored: ${reason}`,
    },
  };
}
