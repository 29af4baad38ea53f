/**
 * What the store cannot hold: NUL and lone surrogates become U+FFFD. The raw lines keep what was
 * really said.
 */

// In unicode mode a pair is one character: only a lone half matches.
const UNFIT = /[\u0000\p{Surrogate}]/gu;
const HAS_UNFIT = /[\u0000\p{Surrogate}]/u;

export type Sanitised<T> = { readonly value: T; readonly changed: boolean };

const cleanText = (text: string): string =>
  HAS_UNFIT.test(text) ? text.replaceAll(UNFIT, "\ufffd") : text;

/** Plain JSON in, the same value out when nothing was wrong with it (no copy), else a clean copy. [F1] */
export function sanitise<T>(value: T): Sanitised<T> {
  const clean = cleanValue(value);
  return { value: clean as T, changed: clean !== value };
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (let i = 0; i < value.length; i++) {
      const clean = cleanValue(value[i]);
      if (clean !== value[i]) (copy ??= [...value])[i] = clean;
    }
    return copy ?? value;
  }
  let isChanged = false;
  const fields = value as Record<string, unknown>;
  for (const key in fields)
    if (cleanText(key) !== key || cleanValue(fields[key]) !== fields[key]) {
      isChanged = true;
      break;
    }
  if (!isChanged) return value;
  // fromEntries, because a key may be "__proto__".
  return Object.fromEntries(
    Object.entries(fields).map(([key, inner]) => [cleanText(key), cleanValue(inner)]),
  );
}
