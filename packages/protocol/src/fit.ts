/**
 * An event's JSON is at most MAX_EVENT_BYTES. Over that its largest strings move to blobs, where a
 * text may stand; then whole values in places whose shape is not ours (they are blobs of JSON and
 * come back by parsing them). What must stay a string is cut as a last resort: the raw line has it.
 */
import type { BlobRef, SessionEvent } from "./event.ts";
import { cloneJson, makeBlob, type BlobSource } from "./fit/blob.ts";
import { cutLists, cutStrings, type Keep } from "./fit/cut.ts";
import { findStrings, findValues, type Place } from "./fit/places.ts";
import { sanitise } from "./sanitise.ts";
import { utf8Size } from "./utf8.ts";

export type { BlobSource } from "./fit/blob.ts";

export const MAX_EVENT_BYTES = 256 * 1024;
/** A shorter string gains nothing by moving: its reference is about as long. */
const MIN_MOVED_UNITS = 4096;

/** How much the last resort leaves, harder each time. */
const CUTS: readonly Keep[] = [
  { units: 1024, items: 256 },
  { units: 256, items: 32 },
  { units: 64, items: 4 },
  { units: 16, items: 1 },
];

export type FittedEvent = { readonly event: SessionEvent; readonly blobs: readonly BlobSource[] };
/** Content hash of a blob's content, hexadecimal. */
export type HashContent = (content: string) => string;

const NO_BLOBS: readonly BlobSource[] = [];

export function fitEvent(
  event: SessionEvent,
  hash: HashContent,
  maxBytes: number = MAX_EVENT_BYTES,
): FittedEvent {
  const { value, changed } = sanitise(event.data);
  const clean = (changed ? { ...event, data: value, sanitised: true } : event) as SessionEvent;
  if (isSurelySmall(clean, maxBytes)) return { event: clean, blobs: NO_BLOBS };
  const size = jsonSize(clean);
  return size <= maxBytes
    ? { event: clean, blobs: NO_BLOBS }
    : shrink(clean, { hash, maxBytes, size });
}

const jsonSize = (value: unknown): number => utf8Size(JSON.stringify(value));

/** No JSON of a UTF-16 unit is longer than its six-byte escape: most events need no measuring. */
function isSurelySmall(event: SessionEvent, maxBytes: number): boolean {
  return countUnits(event, maxBytes / 6) < maxBytes / 6;
}

function countUnits(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 25;
  let units = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      units += 1 + countUnits(item, limit);
      if (units > limit) break;
    }
    return units;
  }
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    units += key.length + 4 + countUnits(fields[key], limit);
    if (units > limit) break;
  }
  return units;
}

type Task = { readonly hash: HashContent; readonly maxBytes: number; readonly size: number };

function shrink(event: SessionEvent, { hash, maxBytes, size }: Task): FittedEvent {
  const data = cloneJson(event.data) as Record<string, unknown>;
  const blobs = new Map<string, BlobSource>();
  const state = { left: size };
  const move = (place: Place): void => {
    const before = place.holder[place.key];
    const { ref, source } = makeBlob(before, place.mediaType, hash);
    place.holder[place.key] = ref satisfies BlobRef;
    blobs.set(source.id, source);
    state.left += jsonSize(ref) - jsonSize(before);
  };
  const strings = findStrings(event.type, data).filter(
    ({ size: units }) => units >= MIN_MOVED_UNITS,
  );
  for (const place of largestFirst(strings)) {
    if (state.left <= maxBytes) break;
    move(place);
  }
  // One at a time: moving a value moves what is inside it, too.
  while (state.left > maxBytes) {
    const place = largestFirst(findValues(event.type, data))[0];
    if (place === undefined || place.size < MIN_MOVED_UNITS) break;
    move(place);
  }
  const fitted = { ...event, data } as unknown as SessionEvent;
  for (const keep of CUTS) {
    if (jsonSize(fitted) > maxBytes) cutStrings(data, keep);
    if (jsonSize(fitted) > maxBytes) cutLists(data, keep);
  }
  return { event: fitted, blobs: [...blobs.values()] };
}

const largestFirst = (places: readonly Place[]): Place[] =>
  places.toSorted((a, b) => b.size - a.size);
