/**
 * A line that a dying writer left half in the CLI's stdin cannot be taken back: the CLI holds its
 * beginning, and whatever follows completes it. A newline alone makes it a malformed line, which
 * ends the CLI (measured: exit 1). So the JSON is brought to a proper end and given a second
 * `type` at top level. Of two equal keys the later counts, and a line of type `keep_alive` is
 * ignored: the half line becomes one that says nothing.
 */
type Expecting = "value" | "firstValue" | "key" | "firstKey" | "colon" | "comma" | "nothing";

type Scan = {
  readonly open: ("{" | "[")[];
  expecting: Expecting;
  /** Inside a string: is it a key, and what of an escape sequence was read. */
  string: { readonly isKey: boolean; escape: string } | null;
  literal: string;
};

const WORDS = ["true", "false", "null"];
const isSpace = (char: string): boolean => char === " " || char === "\t" || char === "\r";

function afterValue(scan: Scan): void {
  scan.expecting = scan.open.length === 0 ? "nothing" : "comma";
}

function readInString(scan: Scan, string: NonNullable<Scan["string"]>, char: string): void {
  if (string.escape !== "") {
    const escape = string.escape + char;
    const isOver = escape[1] === "u" ? escape.length === 6 : escape.length === 2;
    string.escape = isOver ? "" : escape;
  } else if (char === "\\") string.escape = char;
  else if (char === '"') {
    scan.string = null;
    if (string.isKey) scan.expecting = "colon";
    else afterValue(scan);
  }
}

/** false: this is no beginning of a JSON text. */
function readStructure(scan: Scan, char: string): boolean {
  const { expecting } = scan;
  if (isSpace(char)) return true;
  const isValue = expecting === "value" || expecting === "firstValue";
  if (char === '"') {
    const isKey = expecting === "key" || expecting === "firstKey";
    if (!isKey && !isValue) return false;
    scan.string = { isKey, escape: "" };
  } else if (char === "{" || char === "[") {
    if (!isValue) return false;
    scan.open.push(char);
    scan.expecting = char === "{" ? "firstKey" : "firstValue";
  } else if (char === "}" || char === "]") {
    const opener = char === "}" ? "{" : "[";
    const isEmpty = expecting === (char === "}" ? "firstKey" : "firstValue");
    if (scan.open.at(-1) !== opener || (expecting !== "comma" && !isEmpty)) return false;
    scan.open.pop();
    afterValue(scan);
  } else if (char === ":") {
    if (expecting !== "colon") return false;
    scan.expecting = "value";
  } else if (char === ",") {
    if (expecting !== "comma") return false;
    scan.expecting = scan.open.at(-1) === "{" ? "key" : "value";
  } else {
    if (!isValue) return false;
    scan.literal = char;
  }
  return true;
}

function scanPrefix(prefix: Uint8Array): Scan | null {
  const scan: Scan = { open: [], expecting: "value", string: null, literal: "" };
  // As Latin-1: every byte of a longer sequence is above ASCII and so means nothing to JSON.
  for (const char of Buffer.from(prefix).toString("latin1")) {
    if (scan.string !== null) readInString(scan, scan.string, char);
    else if (scan.literal !== "" && /[0-9A-Za-z.+-]/.test(char)) scan.literal += char;
    else {
      if (scan.literal !== "") {
        scan.literal = "";
        afterValue(scan);
      }
      if (!readStructure(scan, char)) return null;
    }
  }
  return scan;
}

function finishLiteral(literal: string): string | null {
  const word = WORDS.find((candidate) => candidate.startsWith(literal));
  if (word !== undefined) return word.slice(literal.length);
  if (!/^-?[0-9]*(\.[0-9]*)?([eE][+-]?[0-9]*)?$/.test(literal)) return null;
  return /[0-9]$/.test(literal) ? "" : "0";
}

function finishString(string: NonNullable<Scan["string"]>): string {
  if (string.escape === "\\") return '\\"';
  return `${string.escape === "" ? "" : "0".repeat(6 - string.escape.length)}"`;
}

/**
 * What to append to this half line, newline included, so that the CLI ignores it. null: it is the
 * beginning of no JSON object, and nothing would help.
 */
export function neutralise(prefix: Uint8Array): string | null {
  const scan = scanPrefix(prefix);
  if (scan === null || scan.open[0] !== "{") return null;
  let end = "";
  if (scan.string !== null) {
    end += finishString(scan.string);
    scan.expecting = scan.string.isKey ? "colon" : "comma";
  } else if (scan.literal !== "") {
    const rest = finishLiteral(scan.literal);
    if (rest === null) return null;
    end += rest;
    scan.expecting = "comma";
  }
  if (scan.expecting === "colon") end += ":null";
  else if (scan.expecting === "value") end += "null";
  else if (scan.expecting === "key") end += '"_":null';
  const isEmpty = scan.expecting === "firstKey" && scan.open.length === 1;
  for (const opener of scan.open.slice(1).toReversed()) end += opener === "{" ? "}" : "]";
  return `${end}${isEmpty ? "" : ","}"type":"keep_alive"}\n`;
}
