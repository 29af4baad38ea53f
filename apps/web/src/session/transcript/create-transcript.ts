/** A session's rows as a store, touched only where the log changed them. */
import { batch, createEffect } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { Session } from "../../live/create-session.ts";
import type { Row } from "./row.ts";
import { Transcript } from "./transcript.ts";

export function createTranscript(
  session: Pick<Session, "events" | "generation" | "version">,
): readonly Row[] {
  const [rows, setRows] = createStore<Row[]>([]);
  let transcript = new Transcript();
  let generation = -1;
  let taken = 0;

  createEffect(() => {
    session.version();
    const events = session.events();
    if (session.generation() !== generation) {
      generation = session.generation();
      transcript = new Transcript();
      transcript.take(events);
      // By key: what is shown already keeps its elements, and with them scroll, focus, open folds.
      setRows(reconcile([...transcript.rows], { key: "key" }));
    } else if (events.length > taken) {
      const touched = transcript.take(events.slice(taken));
      batch(() => {
        for (const place of touched) {
          const row = transcript.rows[place];
          if (row !== undefined) setRows(place, reconcile(row, { key: "key" }));
        }
      });
    }
    taken = events.length;
  });

  return rows;
}
