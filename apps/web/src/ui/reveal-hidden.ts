/**
 * Text cut into what is seen and what is not. What a person approves must look like what it is:
 * characters that are invisible, that turn the writing direction round, or that move the cursor are
 * named instead of drawn.
 */
export type TextPiece =
  | { readonly kind: "seen"; readonly text: string }
  /** `name` is the code point, as "U+202E". */
  | { readonly kind: "hidden"; readonly name: string };

/**
 * Controls but tab and newline; spaces that are no space; zero-width and direction marks; fillers;
 * variation selectors but the emoji one; tags; what cannot be a character at all.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|\p{Surrogate}|[\ufe00-\ufe0e]/gu;

export function revealHidden(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ kind: "seen", text: text.slice(from, match.index) });
    pieces.push({ kind: "hidden", name: nameOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length || pieces.length === 0)
    pieces.push({ kind: "seen", text: text.slice(from) });
  return pieces;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
