/**
 * Cassettes: a recording of one run's standard streams with timing, as JSON lines. The first line
 * is the header, the last an exit. Any run can be exported as one, and played as a process.
 */
import { fieldsOf, isFields, numberOrNull, numberOrZero, textOrNull, textsOf } from "./fields.ts";

export type CassetteHeader = {
  readonly v: 1;
  readonly cli: string;
  readonly args: readonly string[];
  readonly scenario?: string;
  readonly title?: string;
};
/** `t`: ms since the process was started. */
export type CassetteEntry =
  | { readonly t: number; readonly ch: "out"; readonly line: string }
  | { readonly t: number; readonly ch: "in"; readonly line: string }
  | { readonly t: number; readonly ch: "in"; readonly eof: true }
  | { readonly t: number; readonly ch: "err"; readonly text: string }
  | { readonly t: number; readonly ch: "signal"; readonly signal: string }
  | { readonly t: number; readonly ch: "note"; readonly text: string }
  | {
      readonly t: number;
      readonly ch: "exit";
      readonly code: number | null;
      readonly signal: string | null;
    };
export type Cassette = {
  readonly header: CassetteHeader;
  readonly entries: readonly CassetteEntry[];
};

export class CassetteError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CassetteError";
  }
}

export function encodeCassette({ header, entries }: Cassette): string {
  return [header, ...entries].map((part) => `${JSON.stringify(part)}\n`).join("");
}

/** The inverse of encodeCassette. Throws CassetteError. */
export function parseCassette(text: string): Cassette {
  const [first, ...rest] = text.split("\n").filter((line) => line !== "");
  if (first === undefined) throw new CassetteError("an empty cassette");
  return {
    header: parseHeader(parseJson(first, 1)),
    entries: rest.map((line, index) => parseEntry(line, index + 2)),
  };
}

function parseJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new CassetteError(`line ${number} is not JSON`, { cause });
  }
}

function parseHeader(value: unknown): CassetteHeader {
  const { v, cli, args, scenario, title } = fieldsOf(value);
  if (v !== 1) throw new CassetteError("not a cassette of version 1");
  return {
    v,
    cli: textOrNull(cli) ?? "",
    args: textsOf(args),
    ...(typeof scenario === "string" && { scenario }),
    ...(typeof title === "string" && { title }),
  };
}

function parseEntry(text: string, number: number): CassetteEntry {
  const value = parseJson(text, number);
  const fields = isFields(value) ? value : {};
  const t = numberOrZero(fields["t"]);
  const { ch, line, signal } = fields;
  if (ch === "out" && typeof line === "string") return { t, ch, line };
  if (ch === "in" && typeof line === "string") return { t, ch, line };
  if (ch === "in" && fields["eof"] === true) return { t, ch, eof: true };
  if ((ch === "err" || ch === "note") && typeof fields["text"] === "string")
    return { t, ch, text: fields["text"] };
  if (ch === "signal" && typeof signal === "string") return { t, ch, signal };
  if (ch === "exit")
    return { t, ch, code: numberOrNull(fields["code"]), signal: textOrNull(signal) };
  throw new CassetteError(`line ${number} is no cassette entry`);
}
