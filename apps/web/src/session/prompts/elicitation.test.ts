import { expect, test } from "vitest";
import { encodeElicitation, faultOf, parseElicitation } from "./elicitation.ts";

const form = (properties: Record<string, unknown>, required: readonly string[] = []) =>
  parseElicitation({
    mcp_server_name: "tiny",
    message: "Well?",
    mode: "form",
    requested_schema: { type: "object", properties, required },
  });
const fieldsOf = (...given: Parameters<typeof form>) => {
  const parsed = form(...given);
  if (parsed?.kind !== "form") throw new Error("no form");
  return parsed.fields;
};

test("a flat schema is a form, each kind with its own control", () => {
  const fields = fieldsOf(
    {
      name: { type: "string", title: "Your name", minLength: 2 },
      age: { type: "integer", minimum: 0, default: 3 },
      sure: { type: "boolean", default: true },
      size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
      tone: { type: "string", oneOf: [{ const: "a", title: "Amber" }] },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
    },
    ["name"],
  );
  expect(fields.map((field) => [field.name, field.kind, field.initial])).toEqual([
    ["name", "text", ""],
    ["age", "number", "3"],
    ["sure", "boolean", true],
    ["size", "choice", ""],
    ["tone", "choice", ""],
    ["tags", "choices", []],
  ]);
  expect(fields[0]).toMatchObject({ title: "Your name", isRequired: true });
  expect(fields[3]).toMatchObject({
    options: [
      { value: "s", label: "Small" },
      { value: "l", label: "Large" },
    ],
  });
});

test("the answer has the schema's types, and leaves out what was left empty", () => {
  const fields = fieldsOf({
    name: { type: "string" },
    age: { type: "number" },
    sure: { type: "boolean" },
    tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
    none: { type: "string" },
  });
  expect(encodeElicitation(fields, { name: "Ada", age: "36.5", sure: true, tags: ["y"] })).toEqual({
    name: "Ada",
    age: 36.5,
    sure: true,
    tags: ["y"],
  });
  expect(encodeElicitation(fields, {})).toEqual({ sure: false });
});

test.each([
  [{ type: "string" }, "", "missing"],
  [{ type: "string", minLength: 3 }, "ab", "length"],
  [{ type: "string", maxLength: 1 }, "👍", null],
  [{ type: "string", format: "email" }, "ada", "format"],
  [{ type: "string", format: "uri" }, "https://x.test/", null],
  [{ type: "number" }, "1e", "number"],
  [{ type: "integer" }, "1.5", "integer"],
  [{ type: "integer", maximum: 5 }, "6", "range"],
])("a needed %o with %o: %s", (property, value, fault) => {
  const [field] = fieldsOf({ it: property }, ["it"]);
  if (field === undefined) throw new Error("no field");
  expect(faultOf(field, value)).toBe(fault);
});

test("a schema that cannot be honoured to the letter is no form", () => {
  expect(form({ nested: { type: "object", properties: {} } })).toBeNull();
  expect(form({ odd: { type: "string", enum: [1, 2] } })).toBeNull();
  expect(parseElicitation({ message: "no schema", mode: "form" })).toBeNull();
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "nonsense"])(
  "%s is never offered to be opened",
  (url) => {
    expect(parseElicitation({ message: "Visit", mode: "url", url })).toBeNull();
  },
);

test("a page to visit is one", () => {
  expect(
    parseElicitation({
      mcp_server_name: "s",
      message: "Visit",
      mode: "url",
      url: "https://a.test/x",
    }),
  ).toEqual({ kind: "url", server: "s", message: "Visit", url: "https://a.test/x" });
});
