/**
 * Where in an event something may be moved from: places that hold a Text or a value whose shape is
 * not ours. Ids, names and kinds are not among them: the fold reads those.
 */
import type { EventType } from "../event.ts";
import { isFields } from "../fields.ts";
import { isBlobRef, JSON_MEDIA_TYPE } from "./blob.ts";

export type Holder = Record<string | number, unknown>;
export type Place = {
  readonly holder: Holder;
  readonly key: string | number;
  /** UTF-16 units, of the string or of the value's JSON. */
  readonly size: number;
  /** What the string encodes, when its neighbours say that it is base64. */
  readonly mediaType: string | null;
};

/**
 * Per type: `texts` hold a Text themselves; `foreign` hold any JSON and may be replaced as a whole;
 * `records` must stay objects or lists, but what is in them is not ours.
 */
type Shape = {
  readonly texts?: readonly string[];
  readonly foreign?: readonly string[];
  readonly records?: readonly string[];
};
const SHAPES: Partial<Record<EventType, Shape>> = {
  result: { foreign: ["detail"] },
  "turn:end": { texts: ["result"] },
  "input:queued": { texts: ["text"], records: ["contentBlocks"] },
  "task:notification": { texts: ["summary"] },
  "permission:requested": { records: ["input", "suggestions"] },
  "permission:resolved": { records: ["answer"] },
  notice: { texts: ["text"], foreign: ["raw"] },
};
/** The same for a block of a message. */
const BLOCK_SHAPE: Shape = {
  texts: ["text", "thinking", "signature"],
  foreign: ["block", "content"],
  records: ["input", "source"],
};

type Visit = {
  readonly onString?: (place: Place) => void;
  readonly onValue?: (place: Place) => void;
};

export function findStrings(type: EventType, data: Holder): Place[] {
  const places: Place[] = [];
  walkEvent(type, data, { onString: (place) => places.push(place) });
  return places;
}

export function findValues(type: EventType, data: Holder): Place[] {
  const places: Place[] = [];
  walkEvent(type, data, { onValue: (place) => places.push(place) });
  return places;
}

function walkEvent(type: EventType, data: Holder, visit: Visit): void {
  walkShape(SHAPES[type] ?? {}, data, visit);
  const blocks = data["blocks"];
  if ((type === "content" || type === "result") && Array.isArray(blocks))
    for (const block of blocks) if (isFields(block)) walkShape(BLOCK_SHAPE, block, visit);
}

function walkShape(shape: Shape, holder: Holder, visit: Visit): void {
  for (const key of shape.texts ?? [])
    if (typeof holder[key] === "string") walkPlace(holder, key, visit);
  for (const key of shape.foreign ?? []) if (key in holder) walkPlace(holder, key, visit);
  for (const key of shape.records ?? []) walkInside(holder[key], visit);
}

function walkPlace(holder: Holder, key: string | number, visit: Visit): void {
  const value = holder[key];
  if (typeof value === "string") {
    visit.onString?.({ holder, key, size: value.length, mediaType: mediaTypeOf(holder, key) });
    return;
  }
  if (typeof value !== "object" || value === null || isBlobRef(value)) return;
  if (visit.onValue)
    visit.onValue({ holder, key, size: JSON.stringify(value).length, mediaType: null });
  walkInside(value, visit);
}

function walkInside(value: unknown, visit: Visit): void {
  if (typeof value !== "object" || value === null || isBlobRef(value)) return;
  const holder = value as Holder;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(holder))
    walkPlace(holder, key, visit);
}

/** The Messages API's shape of a picture or document: `{type: "base64", media_type, data}`. */
function mediaTypeOf(holder: Holder, key: string | number): string | null {
  const mediaType = holder["media_type"];
  if (key !== "data" || holder["type"] !== "base64" || typeof mediaType !== "string") return null;
  // A blob of text comes back as text: base64 of a text must come back as base64.
  const isText = mediaType.startsWith("text/") || mediaType === JSON_MEDIA_TYPE;
  return !isText && /^[a-z]+\/[a-z0-9.+-]{1,100}$/.test(mediaType)
    ? mediaType
    : "application/octet-stream";
}
