/**
 * Text that any reader can take. A lone surrogate, as when text is cut in the middle of an emoji,
 * makes a request to the model fail for good: the transcript then holds it for ever.
 */

// In unicode mode a pair is one character: only a lone half matches.
const LONE = /\p{Surrogate}/gu;
const HAS_LONE = /\p{Surrogate}/u;

export const isWellFormed = (text: string): boolean => !HAS_LONE.test(text);
export const toWellFormed = (text: string): string =>
  HAS_LONE.test(text) ? text.replaceAll(LONE, "\ufffd") : text;

/** JSON in one line, every string in it well formed. */
export const encodeJsonLine = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" ? toWellFormed(inner) : inner,
  );
