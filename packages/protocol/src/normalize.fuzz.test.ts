import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { fold, initialState } from "./fold.ts";
import { normalizeLine } from "./normalize.ts";
import type { NormalizedLine } from "./normalized-line.ts";
import type { SessionState } from "./state.ts";
import { buildEvent, numbered, RUN_ID } from "./testing/build-event.ts";
import { cassetteNames, loadCassette } from "./testing/load-cassette.ts";
import { encodeUtf8 } from "./utf8.ts";

const lines: readonly string[] = cassetteNames()
  .flatMap((name) => loadCassette(name).entries)
  .filter((entry) => entry.ch === "out")
  .map((entry) => entry.line)
  .filter((line) => line.length < 20_000);

const states = [
  initialState,
  fold(
    numbered([
      buildEvent("run:start"),
      buildEvent("run:ready"),
      buildEvent("turn:start"),
      buildEvent("permission:requested"),
    ]),
  ),
];

/** Whatever comes, the answer has this shape, and its events can be folded. */
function check(line: NormalizedLine, state: SessionState): void {
  if (line.events.some((draft) => draft.runId !== RUN_ID)) throw new Error("an event of no run");
  const events = line.events.map((draft) => ({
    ...buildEvent(draft.type),
    ...draft,
  })) as SessionEvent[];
  fold(numbered(events, state.seq + 1), state);
  for (const answer of line.answers) JSON.parse(answer);
}
/** Throws if anything does: the property says no more. */
function normalizeAll(bytes: Uint8Array): void {
  for (const state of states)
    check(normalizeLine(bytes, { runId: RUN_ID, state }, state === initialState), state);
}

const anyLine = fc.constantFrom(...lines);

/** Somewhere in the JSON, something else: as a later version of the CLI might have it. */
function mutate(value: unknown, path: readonly number[], instead: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return instead;
  const keys = Object.keys(value);
  if (keys.length === 0) return instead;
  const key = keys[first % keys.length] ?? "";
  const inner = (value as Record<string, unknown>)[key];
  const next = mutate(inner, rest, instead);
  return Array.isArray(value)
    ? value.map((item, i) => (String(i) === key ? next : item))
    : { ...value, [key]: next };
}

describe("any line whatever", () => {
  it("[N2] real lines with anything in any place never make it throw", () => {
    fc.assert(
      fc.property(
        anyLine,
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.jsonValue(),
        (line, path, instead) => {
          normalizeAll(
            encodeUtf8(
              JSON.stringify(mutate(JSON.parse(line.startsWith("{") ? line : "{}"), path, instead)),
            ),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("[N2] nor do real lines cut anywhere, or with a byte changed", () => {
    fc.assert(
      fc.property(anyLine, fc.nat(), fc.nat(255), fc.boolean(), (line, at, byte, isCut) => {
        const bytes = encodeUtf8(line);
        const place = at % bytes.byteLength;
        if (isCut) return normalizeAll(bytes.subarray(0, place));
        bytes[place] = byte;
        normalizeAll(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("[N2] nor does any JSON of a known type", () => {
    const type = fc.constantFrom(
      "assistant",
      "user",
      "system",
      "result",
      "stream_event",
      "control_request",
      "control_response",
      "control_cancel_request",
      "rate_limit_event",
      "tool_progress",
      "auth_status",
      "constructor",
      "__proto__",
    );
    const subtype = fc.constantFrom(
      "init",
      "status",
      "api_retry",
      "task_started",
      "task_updated",
      "can_use_tool",
      "toString",
    );
    fc.assert(
      fc.property(
        type,
        subtype,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        (kind, sub, extra, any) => {
          const message = {
            ...extra,
            type: kind,
            subtype: sub,
            message: any,
            request: { subtype: sub, input: any },
            response: any,
          };
          normalizeAll(encodeUtf8(JSON.stringify(message)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("[N2] nor does a line nested deeper than any stack", () => {
    for (const depth of [150, 5_000, 1_000_000]) {
      const deep = `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;
      const both = [deep, `{"type":"hologram","x":${deep}}`];
      for (const line of both) expect(() => normalizeAll(encodeUtf8(line))).not.toThrow();
    }
  });

  it("[N2] nor do any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => normalizeAll(bytes)));
  });
});
