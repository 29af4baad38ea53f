import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlobRef, SessionEvent } from "./event.ts";
import { isBlobRef } from "./fit/blob.ts";
import { type BlobSource, fitEvent, MAX_EVENT_BYTES } from "./fit.ts";
import { fold } from "./fold.ts";
import { sanitise } from "./sanitise.ts";
import { arbitraryLog } from "./testing/arbitrary-log.ts";
import { buildEvent, numbered } from "./testing/build-event.ts";
import { loadCassette } from "./testing/load-cassette.ts";
import { replayCassette } from "./testing/replay-cassette.ts";
import { utf8Size } from "./utf8.ts";

const hash = (content: string): string =>
  `h${content.length}-${content.slice(0, 8)}-${content.slice(-8)}`;
const size = (value: unknown): number => utf8Size(JSON.stringify(value));

/** As the session does it: the whole again. */
function restore(value: unknown, blobs: readonly BlobSource[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isBlobRef(value)) {
    const blob = blobs.find((one) => one.id === value.$blob.id);
    return blob?.mediaType === "application/json" ? JSON.parse(blob.content) : blob?.content;
  }
  if (Array.isArray(value)) return value.map((item) => restore(item, blobs));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, restore(inner, blobs)]),
  );
}

describe("what the store cannot hold", () => {
  it("[F1] NUL and halves of characters are replaced, and the event says so", () => {
    const { event } = fitEvent(
      buildEvent("notice", {
        data: { text: "a\u0000b \ud83d c 😀", raw: { "k\u0000": ["\udc00"] } },
      }),
      hash,
    );
    expect(event).toMatchObject({
      sanitised: true,
      data: { text: "a\ufffdb \ufffd c 😀", raw: { "k\ufffd": ["\ufffd"] } },
    });
  });

  it("[F1] a backslash and u0000 typed out are text like any other", () => {
    const event = buildEvent("notice", { data: { text: "\\u0000 \\ud83d" } });
    expect(fitEvent(event, hash).event).toBe(event);
  });

  it("[F1] a clean value is itself, and nothing unclean is left of any other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const unclean = { value, list: [text, "\u0000"] };
        expect(JSON.stringify(sanitise(unclean).value)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
        const once = sanitise(unclean).value;
        expect(sanitise(once)).toEqual({ value: once, changed: false });
        expect(sanitise(once).value).toBe(once);
      }),
    );
    const proto = JSON.parse('{"__proto__":"\\u0000"}') as object;
    expect(JSON.stringify(sanitise(proto).value)).toBe('{"__proto__":"\ufffd"}');
  });
});

describe("what no stack can hold", () => {
  it("[F1] is cut off", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}1${"]".repeat(100_000)}`) as unknown;
    const { event } = fitEvent(buildEvent("notice", { data: { raw: { deep, plain: 1 } } }), hash);
    expect(event.sanitised).toBe(true);
    expect(JSON.stringify(event)).toContain('"plain":1');
    expect(JSON.stringify(event).length).toBeLessThan(1_000);
  });
});

describe("fitting an event into the log", () => {
  it("[F2] a small one stays as it is", () => {
    const event = buildEvent("content");
    expect(fitEvent(event, hash)).toEqual({ event, blobs: [] });
    const wide = buildEvent("notice", { data: { text: "x".repeat(200_000) } });
    expect(fitEvent(wide, hash).event).toBe(wide);
  });

  it("[F3] of a large one the largest strings move, until it fits; head, tail and size stay", () => {
    const long = `head${"é".repeat(300_000)}tail`;
    const input = { file_path: "/a", content: long, short: "y".repeat(5_000) };
    const event = buildEvent("content", {
      data: { blocks: [{ type: "tool_use", id: "t", name: "Write", input }] },
    });
    const { event: fitted, blobs } = fitEvent(event, hash);
    expect(size(fitted)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(blobs).toEqual([
      { id: hash(long), mediaType: "text/plain", encoding: "utf8", content: long },
    ]);
    const moved = (fitted.data as { blocks: [{ input: { content: BlobRef; short: string } }] })
      .blocks[0].input;
    expect(moved.short).toBe(input.short);
    expect(moved.content.$blob).toMatchObject({ size: 600_008, mediaType: "text/plain" });
    expect(
      moved.content.$blob.head.startsWith("headé") && moved.content.$blob.tail.endsWith("étail"),
    ).toBe(true);
    expect((event.data as { blocks: [{ input: object }] }).blocks[0].input).toBe(input);
  });

  it("[F3] never cuts a character in two", () => {
    const { event } = fitEvent(
      buildEvent("notice", { data: { text: `x${"😀".repeat(100_000)}` } }),
      hash,
    );
    const { head, tail } = (event.data as { text: BlobRef }).text.$blob;
    expect(sanitise([head, tail]).changed).toBe(false);
  });

  it("[F4] a picture keeps its type, and is a blob of its bytes", () => {
    const data = "iVBO".repeat(100_000);
    const block = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const { event, blobs } = fitEvent(
      buildEvent("input:queued", { data: { contentBlocks: [block] } }),
      hash,
    );
    expect(blobs).toEqual([
      { id: hash(data), mediaType: "image/png", encoding: "base64", content: data },
    ]);
    expect(event.data).toMatchObject({
      contentBlocks: [
        { source: { data: { $blob: { size: 300_000, mediaType: "image/png", head: "" } } } },
      ],
    });
  });

  it.each(["text/plain", "application/json", "not a type"])(
    "[F4] base64 of %s stays base64",
    (type) => {
      const source = { type: "base64", media_type: type, data: "YWJj".repeat(100_000) };
      const { blobs } = fitEvent(
        buildEvent("input:queued", { data: { contentBlocks: [{ source }] } }),
        hash,
      );
      expect(blobs).toMatchObject([{ mediaType: "application/octet-stream", encoding: "base64" }]);
    },
  );

  it("[F5] many small strings move together, as JSON", () => {
    const edits = Array.from({ length: 4_000 }, (_, i) => ({
      old: `line ${i}`,
      new: `LINE ${i}`.repeat(10),
    }));
    const event = buildEvent("permission:requested", {
      data: { input: { file_path: "/a", edits } },
    });
    const { event: fitted, blobs } = fitEvent(event, hash);
    expect(size(fitted)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(blobs).toMatchObject([{ mediaType: "application/json" }]);
    expect(fitted.data).toMatchObject({ input: { file_path: "/a" }, requestId: "request-1" });
    expect(restore(fitted.data, blobs)).toEqual(event.data);
  });

  it("[F6] ids and names stay strings: hopelessly long ones are cut", () => {
    const id = "i".repeat(400_000);
    const { event } = fitEvent(
      buildEvent("content", {
        data: { messageId: id, blocks: [{ type: "tool_use", id, name: id, input: {} }] },
      }),
      hash,
    );
    expect(size(event)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(event.data).toMatchObject({
      messageId: "i".repeat(1024),
      blocks: [{ type: "tool_use", id: "i".repeat(1024) }],
    });
    const { event: lists } = fitEvent(
      buildEvent("turn:end", {
        data: { errors: Array.from({ length: 50_000 }, () => "an error") },
      }),
      hash,
    );
    expect(size(lists)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
  });

  it("[F2] [F3] any event fits any bound that is not absurd, and what is moved can be put back", () => {
    const text = fc.string({ unit: "binary", maxLength: 6_000 });
    const bulk = fc
      .tuple(text, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })))
      .map(([long, rest]) => ({ ...rest, long: long.repeat(3) }));
    const builds: ((value: object) => SessionEvent)[] = [
      (input) =>
        buildEvent("content", {
          data: { blocks: [{ type: "tool_use", id: "t", name: "n", input: { input } }] },
        }),
      (detail) => buildEvent("result", { data: { detail } }),
      (raw) => buildEvent("notice", { data: { raw } }),
      (input) => buildEvent("permission:requested", { data: { input: { input } } }),
    ];
    fc.assert(
      fc.property(
        bulk,
        fc.constantFrom(...builds),
        fc.constantFrom(8_000, 20_000),
        (value, build, bound) => {
          const { event, blobs } = fitEvent(
            build(value),
            (content) => `${content.length}:${content}`,
            bound + 12_000,
          );
          expect(restoreAll(event, blobs)).toEqual({
            ...sanitise(build(value)).value,
            ...(event.sanitised && { sanitised: true }),
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  it("[F7] a log of fitted events folds like the log", () => {
    fc.assert(
      fc.property(arbitraryLog(30), (log) => {
        const fitted = log.map((event) => fitEvent(event, hash).event);
        expect(fold(fitted)).toEqual(
          fold(
            log.map((event) => ({ ...event, data: sanitise(event.data).value }) as SessionEvent),
          ),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("[F3] 37-long-line: lines of more than a megabyte fit, and nothing of them is lost", () => {
    const { events } = replayCassette(loadCassette("37-long-line"));
    for (const event of events) {
      const { event: fitted, blobs } = fitEvent(event, hash);
      expect(size(fitted)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
      expect(restore(fitted.data, blobs)).toEqual(event.data);
    }
    const fitted = events.map((event) => fitEvent(event, hash));
    // The written file, in the call and in its result; the reply of 100 KiB stays where it is.
    const moved = fitted.filter(({ blobs }) => blobs.length > 0);
    expect(moved.map(({ event }) => event.type)).toEqual(["content", "result"]);
    expect(() => fold(numbered(fitted.map(({ event }) => event)))).not.toThrow();
  });
});

const restoreAll = (event: SessionEvent, blobs: readonly BlobSource[]) => ({
  ...event,
  data: restore(event.data, blobs),
});
