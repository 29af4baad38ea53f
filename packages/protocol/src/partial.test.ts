import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Delta, PartialMessage } from "./delta.ts";
import { fieldsOf } from "./fields.ts";
import { initialState } from "./fold.ts";
import { normalizeLine } from "./normalize.ts";
import type { StreamPiece } from "./normalized-line.ts";
import {
  applyDelta,
  applyStream,
  countLoggedBlocks,
  deltasOf,
  dropPartial,
  unloggedBlocks,
} from "./partial.ts";
import { buildEvent, RUN_ID, SESSION_ID } from "./testing/build-event.ts";
import { loadCassette } from "./testing/load-cassette.ts";
import { replayCassette } from "./testing/replay-cassette.ts";
import { encodeUtf8 } from "./utf8.ts";

const OF = { sessionId: SESSION_ID, runId: RUN_ID };
function write(pieces: readonly StreamPiece[]): {
  partial: PartialMessage | null;
  deltas: Delta[];
} {
  let partial: PartialMessage | null = null;
  const deltas: Delta[] = [];
  for (const piece of pieces) {
    const step: ReturnType<typeof applyStream> = applyStream(partial, piece, OF);
    partial = step.partial;
    if (step.delta) deltas.push(step.delta);
  }
  return { partial, deltas };
}
function read(
  deltas: readonly Delta[],
  from: PartialMessage | null = null,
): PartialMessage | "hole" | null {
  let partial: PartialMessage | "hole" | null = from;
  for (const delta of deltas) if (partial !== "hole") partial = applyDelta(partial, delta);
  return partial;
}

const START: StreamPiece = { type: "message_start", messageId: "m1" };
const text = (block: number): StreamPiece => ({ type: "block_start", block, kind: "text" });
const piece = (block: number, said: string): StreamPiece => ({
  type: "block_delta",
  block,
  text: said,
});
const HELLO = [
  START,
  text(0),
  piece(0, "Hel"),
  piece(0, "lo"),
  { type: "block_start", block: 1, kind: "tool_input", toolName: "Bash" },
  piece(1, '{"a'),
] as const;

describe("the message being written", () => {
  it("[D6] grows piece by piece, each delta saying where it stands", () => {
    const { partial, deltas } = write(HELLO);
    expect(partial?.blocks).toEqual([
      { kind: "text", text: "Hello" },
      { kind: "tool_input", text: '{"a', toolName: "Bash" },
    ]);
    expect(deltas.map(({ block, offset, text: said }) => [block, offset, said])).toEqual([
      [0, 0, ""],
      [0, 0, "Hel"],
      [0, 3, "lo"],
      [1, 0, ""],
      [1, 0, '{"a'],
    ]);
    expect(deltas[4]).toMatchObject({
      messageId: "m1",
      kind: "tool_input",
      toolName: "Bash",
      runId: RUN_ID,
    });
  });

  it("[D6] whose beginning was not seen is passed over", () => {
    expect(write([text(0), piece(0, "x"), { type: "block_stop", block: 0 }])).toEqual({
      partial: null,
      deltas: [],
    });
    expect(write([START, text(3), piece(3, "x")])).toMatchObject({
      partial: { blocks: [] },
      deltas: [],
    });
  });

  it("[D6] keeps the place of a block that is not shown", () => {
    const { partial } = write([
      START,
      { type: "block_start", block: 0, kind: "other" },
      text(1),
      piece(1, "x"),
    ]);
    expect(partial?.blocks.map((block) => block.text)).toEqual(["", "x"]);
  });

  it("[D2] is the same for a viewer who saw every delta, saw them twice, or joined in the middle", () => {
    const { partial, deltas } = write(HELLO);
    expect(read(deltas)).toEqual(partial);
    expect(read([...deltas, ...deltas])).toEqual(partial);
    const joined = read(deltasOf(write(HELLO.slice(0, 3)).partial, SESSION_ID));
    expect(read(deltas, joined === "hole" ? null : joined)).toEqual(partial);
    expect(deltasOf(null, SESSION_ID)).toEqual([]);
  });

  it("[D2] has a hole for a viewer who missed something, and for no other", () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, fc.nat(), (said, at) => {
        const { deltas } = write([START, text(0), ...said.map((one) => piece(0, one))]);
        const missing = 1 + (at % (deltas.length - 1));
        const rest = deltas.filter((_, index) => index !== missing);
        expect(read(rest) === "hole").toBe(missing < deltas.length - 1);
      }),
    );
  });

  it("[D7] is given up when another begins: the CLI may say it again under another id", () => {
    const { partial } = write([
      ...HELLO,
      { type: "message_start", messageId: "m2" },
      text(0),
      piece(0, "Again"),
    ]);
    expect(partial).toMatchObject({ messageId: "m2", blocks: [{ text: "Again" }] });
    expect(
      read([...write(HELLO).deltas, { ...write(HELLO).deltas[0]!, messageId: "m2" }]),
    ).toMatchObject({ messageId: "m2" });
  });

  it.each<[string, Parameters<typeof buildEvent>, boolean]>([
    ["a block of it", ["content", { data: { messageId: "m1" } }], true],
    ["a block of another message", ["content", { data: { messageId: "m9" } }], false],
    [
      "a subagent's message",
      ["content", { data: { messageId: "m9", parentToolUseId: "toolu_1" } }],
      true,
    ],
    ["the end of the turn", ["turn:end"], false],
    ["the end of the run", ["run:end"], false],
    ["the end of another run", ["run:end", { runId: "run-9" }], true],
    ["something else", ["notice"], true],
  ])("[D3] after %s in the log it is still there: %s", (_what, [type, parts], stays) => {
    const { partial } = write(HELLO);
    expect(dropPartial(partial, buildEvent(type, parts as object)) === partial).toBe(stays);
    expect(dropPartial(null, buildEvent(type, parts as object))).toBeNull();
  });

  it("[D5] hides the blocks that the log has", () => {
    const { partial } = write(HELLO);
    const events = [
      buildEvent("content", { data: { messageId: "m1" } }),
      buildEvent("content", { data: { messageId: "m2" } }),
    ];
    expect(countLoggedBlocks(events, "m1")).toBe(1);
    expect(partial && unloggedBlocks(partial, 1)).toMatchObject([{ kind: "tool_input" }]);
  });

  it.each(["02-partial-messages", "28-subagent", "38-unicode", "61b-steer-interrupt"])(
    "[D6] %s: what was streamed is what the log then has",
    (name) => {
      const streamed = new Map<string, string>();
      let partial: PartialMessage | null = null;
      for (const entry of loadCassette(name).entries) {
        if (entry.ch !== "out") continue;
        const { stream } = normalizeLine(encodeUtf8(entry.line), {
          runId: RUN_ID,
          state: initialState,
        });
        if (stream === null) continue;
        partial = applyStream(partial, stream, OF).partial;
        for (const [index, block] of partial?.blocks.entries() ?? [])
          streamed.set(`${partial?.messageId} ${index}`, block.text);
      }
      const counts = new Map<string, number>();
      for (const event of replayCassette(loadCassette(name)).events) {
        if (event.type !== "content" || event.data.parentToolUseId !== null || event.data.synthetic)
          continue;
        for (const block of event.data.blocks) {
          const index = counts.get(event.data.messageId) ?? 0;
          counts.set(event.data.messageId, index + 1);
          const said = streamed.get(`${event.data.messageId} ${index}`);
          const { text: plain, thinking, input } = fieldsOf(block);
          expect(block.type === "tool_use" ? JSON.parse(said ?? "") : said).toEqual(
            plain ?? thinking ?? input,
          );
        }
      }
      expect(counts.size).toBeGreaterThan(0);
    },
  );
});
