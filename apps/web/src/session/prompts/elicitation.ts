/**
 * What an MCP server asks a person: a form described by a flat schema, or a page to visit. Read
 * strictly: a schema this form cannot honour to the letter is shown as it came instead.
 */
type Fields = Readonly<Record<string, unknown>>;

export type ElicitationField = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly initial: FieldValue;
} & (
  | {
      readonly kind: "text";
      readonly format: "email" | "uri" | "date" | "date-time" | null;
      readonly least: number | null;
      readonly most: number | null;
    }
  | {
      readonly kind: "number";
      readonly isInteger: boolean;
      readonly least: number | null;
      readonly most: number | null;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly options: readonly Option[] }
  | { readonly kind: "choices"; readonly options: readonly Option[] }
);
type Option = { readonly value: string; readonly label: string };
/** Of a text, number or choice as it is written; of a switch; of several picks. */
export type FieldValue = string | boolean | readonly string[];

export type Elicitation =
  | {
      readonly kind: "form";
      readonly server: string;
      readonly message: string;
      readonly fields: readonly ElicitationField[];
    }
  | {
      readonly kind: "url";
      readonly server: string;
      readonly message: string;
      readonly url: string;
    };

const asFields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
const asText = (value: unknown): string => (typeof value === "string" ? value : "");
const asNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function parseElicitation(input: Fields): Elicitation | null {
  const server = asText(input["mcp_server_name"]);
  const { message, url } = input;
  if (typeof message !== "string") return null;
  if (input["mode"] === "url") {
    return typeof url === "string" && isWebAddress(url)
      ? { kind: "url", server, message, url }
      : null;
  }
  const schema = asFields(input["requested_schema"]);
  const properties = asFields(schema?.["properties"] ?? {});
  if (schema === null || properties === null) return null;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(properties).map(([name, property]) =>
    parseField(name, asFields(property), required.includes(name)),
  );
  return fields.every((field) => field !== null) ? { kind: "form", server, message, fields } : null;
}

function parseField(
  name: string,
  property: Fields | null,
  isRequired: boolean,
): ElicitationField | null {
  if (property === null) return null;
  const base = {
    name,
    title: asText(property["title"]) || name,
    description: asText(property["description"]),
    isRequired,
  };
  const { default: initial } = property;
  switch (property["type"]) {
    case "boolean":
      return { ...base, kind: "boolean", initial: initial === true };
    case "number":
    case "integer":
      return {
        ...base,
        kind: "number",
        isInteger: property["type"] === "integer",
        least: asNumber(property["minimum"]),
        most: asNumber(property["maximum"]),
        initial: typeof initial === "number" ? String(initial) : "",
      };
    case "array": {
      const options = parseOptions(asFields(property["items"]) ?? {});
      const picked = Array.isArray(initial) ? initial.filter((one) => typeof one === "string") : [];
      return options === null ? null : { ...base, kind: "choices", options, initial: picked };
    }
    case "string": {
      const options = parseOptions(property);
      if (options !== null) return { ...base, kind: "choice", options, initial: asText(initial) };
      if (UNREADABLE.some((bound) => bound in property)) return null;
      return {
        ...base,
        kind: "text",
        format: FORMATS.find((format) => format === property["format"]) ?? null,
        least: asNumber(property["minLength"]),
        most: asNumber(property["maxLength"]),
        initial: asText(initial),
      };
    }
    default:
      return null;
  }
}

/** Bounds of a text that this form does not hold to. */
const UNREADABLE = ["enum", "oneOf", "anyOf", "allOf", "pattern"];
const FORMATS = ["email", "uri", "date", "date-time"] as const;

function parseOptions(property: Fields): readonly Option[] | null {
  const { enum: values, enumNames: names } = property;
  if (Array.isArray(values) && values.length > 0) {
    const labels = Array.isArray(names) ? (names as readonly unknown[]) : [];
    return values.every((value) => typeof value === "string")
      ? values.map((value, index) => ({ value, label: asText(labels[index]) || value }))
      : null;
  }
  const titled = property["oneOf"] ?? property["anyOf"];
  if (!Array.isArray(titled) || titled.length === 0) return null;
  const options = titled.map((one: unknown) => {
    const value = asFields(one)?.["const"];
    return typeof value === "string"
      ? { value, label: asText(asFields(one)?.["title"]) || value }
      : null;
  });
  return options.every((option) => option !== null) ? options : null;
}

/** Only these are ever offered to be opened. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ["https:", "http:"].includes(new URL(url).protocol);
}

export type Fault = "missing" | "number" | "integer" | "range" | "length" | "format";

/** What is wrong with a field's value; null: nothing. */
export function faultOf(field: ElicitationField, value: FieldValue): Fault | null {
  if (field.kind === "boolean") return null;
  if (value.toString() === "") return field.isRequired ? "missing" : null;
  if (field.kind === "number") {
    const number = Number(value);
    if (!Number.isFinite(number)) return "number";
    if (field.isInteger && !Number.isInteger(number)) return "integer";
    return isWithin(number, field) ? null : "range";
  }
  if (field.kind !== "text" || typeof value !== "string") return null;
  if (!isWithin([...value].length, field)) return "length";
  if (field.format === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return "format";
  if (field.format === "uri" && !URL.canParse(value)) return "format";
  return null;
}

const isWithin = (
  n: number,
  { least, most }: { readonly least: number | null; readonly most: number | null },
): boolean => (least === null || n >= least) && (most === null || n <= most);

/** The answer in the shape of the schema; what was left empty and need not be there is not. */
export function encodeElicitation(
  fields: readonly ElicitationField[],
  values: Readonly<Record<string, FieldValue>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const value = values[field.name] ?? field.initial;
      if (field.kind === "boolean") return [[field.name, value === true]];
      if (field.kind === "choices")
        return !field.isRequired && value.toString() === "" ? [] : [[field.name, value]];
      if (value === "") return [];
      if (field.kind === "number") return [[field.name, Number(value)]];
      const isMoment = field.kind === "text" && field.format === "date-time";
      return [[field.name, isMoment ? new Date(value as string).toISOString() : value]];
    }),
  );
}
