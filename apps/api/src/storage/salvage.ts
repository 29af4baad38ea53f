/**
 * One batch that the store refuses: find what of it is refused, and keep the rest. A refused event
 * becomes a notice at its seq; a refused raw line, blob or position is left out.
 *
 * Found by rehearsal: the batch is written and taken back with ever fewer of its parts, so that the
 * judge is the database itself. A refused part costs about log2(parts) rehearsals.
 */
import { encodePoison, type EncodedBatch } from "./encoded-batch.ts";

/** What the database said to a rehearsal; null: nothing is refused. */
export type Rehearse = (batch: EncodedBatch) => Promise<string | null>;

export type Salvage =
  | { readonly kind: "saved"; readonly batch: EncodedBatch; readonly lost: readonly string[] }
  /** Not even the bare notices can be written. */
  | { readonly kind: "stuck"; readonly reason: string };

export async function salvage(given: EncodedBatch, rehearse: Rehearse): Promise<Salvage> {
  // The fold saw the events as they were meant to be: its memo would be wrong now, and is only a saving.
  const batch: EncodedBatch = { ...given, memo: null };
  const refused = new Map<number, string>();
  const total = partsOf(batch);
  const bare = await rehearse(without(batch, refused, 0));
  if (bare !== null) return { kind: "stuck", reason: bare };
  for (;;) {
    let reason = await rehearse(without(batch, refused, total));
    if (reason === null) {
      const lost = [...refused].map(([part, why]) => `${nameOf(batch, part)}: ${why}`);
      return { kind: "saved", batch: without(batch, refused, total), lost };
    }
    // The first `works` parts are accepted, the first `fails` are not.
    let works = 0;
    let fails = total;
    while (fails - works > 1) {
      const middle = (works + fails) >> 1;
      const said = await rehearse(without(batch, refused, middle));
      if (said === null) works = middle;
      else {
        fails = middle;
        reason = said;
      }
    }
    // Refused in its harmless form too: the database answers one thing now and another then.
    if (refused.has(fails - 1)) return { kind: "stuck", reason };
    refused.set(fails - 1, reason);
  }
}

/** Its parts in order: events, raw lines, blobs, the position, the summary. */
const partsOf = ({ events, raw, blobs }: EncodedBatch): number =>
  events.length + raw.length + blobs.length + 2;

/** The first `kept` parts as they are, unless refused; the others in their harmless form. */
function without(
  batch: EncodedBatch,
  refused: ReadonlyMap<number, string>,
  kept: number,
): EncodedBatch {
  const stays = (part: number): boolean => part < kept && !refused.has(part);
  const firstRaw = batch.events.length;
  const firstBlob = firstRaw + batch.raw.length;
  const position = firstBlob + batch.blobs.length;
  const replaced = [...batch.replaced];
  const events = batch.events.map((encoded, part) => {
    if (stays(part)) return encoded;
    const poison = encodePoison(encoded.event, refused.get(part) ?? "refused");
    replaced.push(poison.event);
    return poison;
  });
  return {
    ...batch,
    events,
    replaced,
    raw: batch.raw.filter((_, n) => stays(firstRaw + n)),
    blobs: batch.blobs.filter((_, n) => stays(firstBlob + n)),
    progress: stays(position) ? batch.progress : null,
    summary: stays(position + 1) ? batch.summary : null,
  };
}

function nameOf(batch: EncodedBatch, part: number): string {
  const event = batch.events[part]?.event;
  if (event) return `event ${event.seq} (${event.type})`;
  const line = batch.raw[part - batch.events.length];
  if (line) return `raw line ${line.runId} ${line.dir} ${line.line}`;
  const blob = batch.blobs[part - batch.events.length - batch.raw.length];
  if (blob) return `blob ${blob.id}`;
  return part === partsOf(batch) - 1 ? "summary" : "position";
}
