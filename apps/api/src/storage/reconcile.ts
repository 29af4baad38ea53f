/**
 * After an unknown commit, or when a seq is taken: which events of a batch stand in the log
 * already. They are left out of the next attempt and never renumbered.
 */
import { isDeepStrictEqual } from "node:util";
import type { Seq, SessionEvent, SessionId } from "@lodge/protocol";
import type { EncodedBatch, EncodedEvent } from "./encoded-batch.ts";

export type PresentEvents = Map<SessionId, Map<Seq, SessionEvent>>;

/** The batch without what is there already; null: something else is there, and that is a bug. */
export function leaveOutPresent(
  batch: EncodedBatch,
  present: ReadonlyMap<Seq, SessionEvent>,
): EncodedBatch | null {
  if (batch.events.every(({ event }) => !present.has(event.seq))) return batch;
  const events: EncodedEvent[] = [];
  const replaced = [...batch.replaced];
  for (const encoded of batch.events) {
    const there = present.get(encoded.event.seq);
    if (!there) events.push(encoded);
    else if (isSame(there, encoded)) continue;
    else if (isPoisonOf(there, encoded.event)) replaced.push(there);
    else return null;
  }
  return { ...batch, events, replaced };
}

function isSame(there: SessionEvent, { event, data }: EncodedEvent): boolean {
  return (
    there.type === event.type &&
    there.runId === event.runId &&
    there.at === Math.trunc(event.at) &&
    isDeepStrictEqual(there.data, JSON.parse(data))
  );
}

/** An earlier attempt found the event to be refused, and wrote this in its place. */
function isPoisonOf(there: SessionEvent, event: SessionEvent): boolean {
  return (
    there.type === "notice" &&
    there.data.kind === "poison" &&
    there.runId === event.runId &&
    there.at === Math.trunc(event.at)
  );
}
