/**
 * What the store cannot hold: NUL and lone surrogates become U+FFFD, and what is nested deeper than
 * any reader's stack is cut off. The raw lines keep what was really said.
 */

// In unicode mode a pair is one character: only a lone half matches.
const UNFIT = /[\u0000\p{Surrogate}]/gu;
const HAS_UNFIT = /[\u0000\p{Surrogate}]/u;

/** No honest value is nested like this; one that is would end whoever walks it. */
export const MAX_DEPTH = 200;
const CUT_OFF = "\u2026";

export type Sanitised<T> = { readonly value: T; readonly changed: boolean };

const cleanText = (text: string): string =>
  HAS_UNFIT.test(text) ? text.replaceAll(UNFIT, "\ufffd") : text;

/** Plain JSON in, the same value out when nothing was wrong with it (no copy), else a clean copy. [F1] */
export function sanitise<T>(value: T): Sanitised<T> {
  const clean = cleanValue(value, 0);
  return { value: clean as T, changed: clean !== value };
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return CUT_OFF;
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (let i = 0; i < value.length; i++) {
      const clean = cleanValue(value[i], depth + 1);
      if (clean !== value[i]) (copy ??= [...value])[i] = clean;
    }
    return copy ?? value;
  }
  let isChanged = false;
  const fields = value as Record<string, unknown>;
  for (const key in fields)
    if (cleanText(key) !== key || cleanValue(fields[key], depth + 1) !== fields[key]) {
      isChanged = true;
      break;
    }
  if (!isChanged) return value;
  // fromEntries, because a key may be "__proto__".
  return Object.fromEntries(
    Object.entries(fields).map(([key, inner]) => [cleanText(key), cleanValue(inner, depth + 1)]),
  );
}

/** Recursion that is safe because it stops at the limit it looks for. */
export function isTooDeep(value: unknown, left: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, left - 1));
  for (const key in value)
    if (isTooDeep((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}
