/** Pages a session's log backwards. Calls made while a page is on its way share that page. */
import type { SessionId } from "@lodge/protocol";
import type { HttpClient } from "./http-client.ts";
import type { SessionLog } from "./session-log.ts";

const PAGE = 100;

export function createHistoryPager(options: {
  readonly sessionId: SessionId;
  readonly http: Pick<HttpClient, "history">;
  readonly log: SessionLog;
  readonly onChange: () => void;
}) {
  const { log } = options;
  let underWay: Promise<boolean> | null = null;

  async function load(limit: number): Promise<boolean> {
    const first = log.events[0]?.seq;
    if (first === undefined || !log.hasEarlier) return log.hasEarlier;
    const page = await options.http.history(options.sessionId, { before: first, limit });
    // After a reset in between the page may not join on: the log leaves it out then.
    log.prepend(page.events);
    options.onChange();
    return log.hasEarlier;
  }

  return {
    fetch: (limit = PAGE): Promise<boolean> => {
      underWay ??= load(limit).finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}
