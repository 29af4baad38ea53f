/**
 * A tool's input as it is edited: texts as texts, numbers and switches as themselves, everything
 * else as JSON. What comes back has the same fields, or says which of them cannot be read.
 */
type Input = Readonly<Record<string, unknown>>;

export type EditKind = "text" | "number" | "boolean" | "json";
export type EditField = { readonly name: string; readonly kind: EditKind; readonly text: string };

export function editFields(input: Input): readonly EditField[] {
  return Object.entries(input).map(([name, value]) => {
    switch (typeof value) {
      case "string":
        return { name, kind: "text", text: value };
      case "number":
        return { name, kind: "number", text: String(value) };
      case "boolean":
        return { name, kind: "boolean", text: String(value) };
      default:
        return { name, kind: "json", text: JSON.stringify(value, null, 2) };
    }
  });
}

export type EditedInput =
  | { readonly kind: "ready"; readonly input: Input; readonly isChanged: boolean }
  | { readonly kind: "wrong"; readonly faults: Readonly<Record<string, string>> };

export function readEdited(original: Input, fields: readonly EditField[]): EditedInput {
  const faults: Record<string, string> = {};
  const entries = fields.map((field): [string, unknown] => {
    const value = readField(field);
    if (value.kind === "wrong") faults[field.name] = value.why;
    return [field.name, value.kind === "wrong" ? null : value.value];
  });
  if (Object.keys(faults).length > 0) return { kind: "wrong", faults };
  const input = Object.fromEntries(entries);
  const isChanged = JSON.stringify(input) !== JSON.stringify(original);
  return { kind: "ready", input, isChanged };
}

type Read =
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "wrong"; readonly why: string };

function readField({ kind, text }: EditField): Read {
  switch (kind) {
    case "text":
      return { kind: "read", value: text };
    case "boolean":
      return { kind: "read", value: text === "true" };
    case "number": {
      const value = Number(text);
      return text.trim() !== "" && Number.isFinite(value)
        ? { kind: "read", value }
        : { kind: "wrong", why: "not a number" };
    }
    case "json":
      try {
        return { kind: "read", value: JSON.parse(text) as unknown };
      } catch (error) {
        return { kind: "wrong", why: error instanceof Error ? error.message : String(error) };
      }
  }
}
