import { encodeInitialize, encodePermissionAnswer, encodeUserLine } from "@lodge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise } from "./neutralise.ts";

const parseCompleted = (half: Buffer): unknown => {
  const rest = neutralise(half);
  if (rest === null) throw new Error("it was to be completed");
  expect(rest.endsWith("\n")).toBe(true);
  return JSON.parse(Buffer.concat([half, Buffer.from(rest)]).toString());
};

const lines = [
  encodeUserLine({ inputId: "5e7b", text: 'é 😀 "quoted" \\ \n\u0000\u2028', contentBlocks: [] }),
  encodeInitialize("init-1"),
  encodePermissionAnswer("r", { behavior: "allow", updatedInput: { a: [1.5e-7, -0, true, null] } }),
  '{"a":[[],{},[{"b":[false]}],"\\u12aB\\/"],"n":-12.25E+10, "s" : "" }',
];

describe("neutralise", () => {
  it.each(lines)("makes every beginning of a line one that says nothing: %s", (line) => {
    const bytes = Buffer.from(line);
    for (let cut = 1; cut < bytes.byteLength; cut++) {
      expect(parseCompleted(bytes.subarray(0, cut))).toMatchObject({ type: "keep_alive" });
    }
  });

  it("does so for any JSON object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, place) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const cut = 1 + (place % (bytes.byteLength - 1));
        expect(parseCompleted(bytes.subarray(0, cut))).toHaveProperty("type", "keep_alive");
      }),
    );
  });

  it.each(["", "x", '{"a":1}', '{"a":1} ', "[1,", '"text', "{]", '{"a" 1', '{"a":tru3', "{,"])(
    "has nothing to say to what begins no object: %j",
    (half) => {
      expect(neutralise(Buffer.from(half))).toBeNull();
    },
  );
});
