import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSseFrame } from "./sse-frame.ts";
import { stdinKey } from "./stdin-key.ts";
import { buildEvent, buildSpawnConfig } from "./testing/build-event.ts";
import { decodeUtf8, decodeUtf8Lossy, encodeUtf8, utf8Size } from "./utf8.ts";
import { encodeDataFrame, fromApiSchema, parseDataFrame, runnerRequestSchema } from "./wire.ts";

describe("the runner link", () => {
  const header = { runId: "r", parts: [{ line: 1, offset: 4, size: 3, at: 5, end: true }] };

  it("[W1] a data frame comes back as it was sent", () => {
    const frame = encodeDataFrame(header, [encodeUtf8("a"), encodeUtf8("bc")]);
    const parsed = parseDataFrame(frame);
    expect([parsed.header, decodeUtf8(parsed.payload)]).toEqual([header, "abc"]);
    expect(parseDataFrame(new Uint8Array([9, ...frame]).subarray(1)).header).toEqual(header);
  });

  it("[W1] anything else is refused", () => {
    const frame = encodeDataFrame(header, [encodeUtf8("abc")]);
    for (const bad of [
      new Uint8Array(2),
      frame.subarray(0, 9),
      frame.subarray(0, -1),
      new Uint8Array([255, ...frame.subarray(1)]),
    ])
      expect(() => parseDataFrame(bad)).toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => parseDataFrame(bytes)).toThrow();
      }),
    );
  });

  it("[W1] a request is what the schema says, and nothing more", () => {
    const spawn = { method: "spawn", config: buildSpawnConfig() };
    expect(runnerRequestSchema.parse(spawn)).toEqual(spawn);
    expect(runnerRequestSchema.safeParse({ ...spawn, more: 1 }).success).toBe(false);
    expect(
      runnerRequestSchema.safeParse({ ...spawn, config: { ...spawn.config, resumeId: "x; rm" } })
        .success,
    ).toBe(false);
    expect(
      fromApiSchema.safeParse({ type: "request", id: 1, request: { method: "exec" } }).success,
    ).toBe(false);
  });
});

describe("frames to viewers", () => {
  it("[W5] are one line of data each, whatever the text", () => {
    const event = { ...buildEvent("notice", { data: { text: "a\nb\r\nevent: x\n\n" } }), seq: 7 };
    const frame = encodeSseFrame({ event: "session", data: event, id: 7 });
    expect(frame.split("\n")).toHaveLength(5);
    expect(frame.startsWith("id: 7\nevent: session\ndata: {")).toBe(true);
    expect(encodeSseFrame({ event: "closed", data: { reason: "signed_out" } })).not.toContain(
      "id:",
    );
  });
});

describe("keys and text", () => {
  it("[C3] a line without an id has no key", () => {
    for (const line of [
      "",
      "x",
      "5",
      "null",
      "{}",
      '{"type":"user"}',
      '{"type":"control_response","response":null}',
    ])
      expect(stdinKey(line)).toBeNull();
  });

  it("[W4] the size in UTF-8 is that of the encoder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Size(text)).toBe(encodeUtf8(text).byteLength);
        expect(utf8Size(`${text}\ud83d`)).toBe(encodeUtf8(`${text}\ud83d`).byteLength);
      }),
    );
    expect(utf8Size("\ud83dx")).toBe(4);
    expect([decodeUtf8(new Uint8Array([0xc3])), decodeUtf8Lossy(new Uint8Array([0xc3]))]).toEqual([
      null,
      "\ufffd",
    ]);
  });
});
