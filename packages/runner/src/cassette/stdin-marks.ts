/**
 * How the lines that somebody writes to a played cassette meet those that were written when it was
 * recorded. Ids differ, so lines are matched by what they are, in order; and whatever the recording
 * says about an id of its own is said about ours instead.
 */

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

export function parseLine(line: string): Fields {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** null, for an empty line: a mark that takes any line. */
export function kindOf(line: string): string | null {
  if (line === "") return null;
  const message = parseLine(line);
  const subtype = textOf(fieldsOf(message["request"])["subtype"]) ?? "";
  return `${textOf(message["type"]) ?? "?"} ${subtype}`.trim();
}

/** The id that a line's author gave it, by which it is answered. */
export function ownId(line: string): string | null {
  const message = parseLine(line);
  if (message["type"] === "user") return textOf(message["uuid"]);
  if (message["type"] === "control_request") return textOf(message["request_id"]);
  return null;
}

/** The ids of the recording that now go by another name. */
export class Renaming {
  readonly #names = new Map<string, string>();

  add(recorded: string | null, ours: string | null): void {
    if (recorded !== null && ours !== null && recorded !== ours) this.#names.set(recorded, ours);
  }

  apply(line: string): string {
    let renamed = line;
    // As JSON strings, whole: a short id such as "1" also stands inside others.
    for (const [recorded, ours] of this.#names) {
      renamed = renamed.replaceAll(JSON.stringify(recorded), JSON.stringify(ours));
    }
    return renamed;
  }
}
