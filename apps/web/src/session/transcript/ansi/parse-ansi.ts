/**
 * What a terminal would show of a program's output: colours and weights by SGR, lines overwritten
 * by carriage returns, and nothing of the rest. Titles, links, clipboard and cursor commands (OSC,
 * DCS, CSI but SGR) are dropped with all they carry.
 *
 * Colours of the 256 and 24-bit palettes become the nearest of the sixteen, which the page has in a
 * shade that can be read on its own background.
 */
export type AnsiStyle = {
  /** 0 to 15; null: the page's own. */
  readonly foreground: number | null;
  readonly background: number | null;
  readonly isBold: boolean;
  readonly isFaint: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
  readonly isInverse: boolean;
};
export type AnsiPiece = { readonly text: string; readonly style: AnsiStyle };

export const PLAIN: AnsiStyle = {
  foreground: null,
  background: null,
  isBold: false,
  isFaint: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isInverse: false,
};

/** In turn: strings (OSC, DCS, SOS, PM, APC) to their end, CSI, charset choices, other escapes, their C1 twins. */
const SEQUENCE =
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c|$)|(?:\u001b\[|\u009b)([\d;:<=>?]*)[ -/]*([@-~]|$)|\u001b[ -/]+[0-~]?|\u001b[0-~]?/g;

export const hasAnsi = (text: string): boolean => /[\u001b\u0080-\u009f\r\b]/.test(text);

export function parseAnsi(text: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  let style = PLAIN;
  let from = 0;
  const add = (until: number) => {
    if (until > from) pieces.push({ text: text.slice(from, until), style });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") style = applySgr(style, match[1] ?? "");
  }
  add(text.length);
  return overwrite(pieces);
}

/** The text alone, as `parseAnsi` shows it. */
export const stripAnsi = (text: string): string =>
  hasAnsi(text)
    ? parseAnsi(text)
        .map((piece) => piece.text)
        .join("")
    : text;

/** A carriage return writes the line again from its beginning: the last writing is what is seen. */
function overwrite(pieces: readonly AnsiPiece[]): readonly AnsiPiece[] {
  if (!pieces.some(({ text }) => /[\r\b]/.test(text))) return pieces;
  const done: AnsiPiece[] = [];
  let line: AnsiPiece[] = [];
  let isReturned = false;
  for (const { text, style } of pieces) {
    for (const part of text.split(/(\r*\n|\r|[\b])/)) {
      if (part === "") continue;
      if (part.endsWith("\n")) {
        done.push(...line, { text: "\n", style });
        line = [];
        isReturned = false;
      } else if (part === "\r") isReturned = true;
      else if (part === "\b") line = dropLast(line);
      else {
        if (isReturned) line = [];
        isReturned = false;
        line.push({ text: part, style });
      }
    }
  }
  return [...done, ...line];
}

function dropLast(line: AnsiPiece[]): AnsiPiece[] {
  const last = line.at(-1);
  if (last === undefined) return line;
  const text = [...last.text].slice(0, -1).join("");
  return text === "" ? line.slice(0, -1) : [...line.slice(0, -1), { ...last, text }];
}

function applySgr(before: AnsiStyle, parameters: string): AnsiStyle {
  if (/[<=>?]/.test(parameters)) return before;
  const codes = parameters.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = paletteColour(codes.slice(at + 1));
      style = { ...style, [code === 38 ? "foreground" : "background"]: colour };
      at += used;
    } else style = { ...style, ...changeOf(code) };
  }
  return style;
}

function changeOf(code: number): Partial<AnsiStyle> {
  if (code >= 30 && code <= 37) return { foreground: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { foreground: code - 82 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return CHANGES[code] ?? {};
}

const CHANGES: Readonly<Record<number, Partial<AnsiStyle>>> = {
  0: PLAIN,
  1: { isBold: true },
  2: { isFaint: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  21: { isUnderlined: true },
  22: { isBold: false, isFaint: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { foreground: null },
  49: { background: null },
};

/** `5;n` or `2;r;g;b`: the colour, and how many codes it took. */
function paletteColour(codes: readonly number[]): [colour: number | null, used: number] {
  const [mode, first = 0, green = 0, blue = 0] = codes;
  if (mode === 2) return [nearest([first, green, blue]), 4];
  if (mode !== 5) return [null, codes.length];
  if (first < 16) return [first, 2];
  if (first >= 232) {
    const grey = 8 + (first - 232) * 10;
    return [nearest([grey, grey, grey]), 2];
  }
  const cube = first - 16;
  const step = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  return [
    nearest([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)]),
    2,
  ];
}

type Rgb = readonly [red: number, green: number, blue: number];
const SIXTEEN: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

function nearest([red, green, blue]: Rgb): number {
  let found = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, [r, g, b]] of SIXTEEN.entries()) {
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
    if (distance < least) [found, least] = [index, distance];
  }
  return found;
}
