import fc from "fast-check";
import { createRoot } from "solid-js";
import { expect, test } from "vitest";
import { buildLog, drafts } from "@lodge/client/testing";
import type { EventDraft } from "@lodge/protocol";
import { Folds } from "./folds.ts";
import { ItemList, type Item } from "./item-list.ts";
import { RowHandle } from "./row-handle.ts";
import { StepGroup } from "./step-group.ts";
import { call, result } from "./testing/render-rows.tsx";
import { Transcript } from "./transcript.ts";

function build(log: readonly EventDraft[], from = 1, cut = log.length): ItemList {
  const transcript = new Transcript();
  const list = new ItemList();
  const events = buildLog(log, from);
  for (const part of [events.slice(0, cut), events.slice(cut)]) {
    list.take(transcript.rows, transcript.take(part));
    list.publish();
  }
  return list;
}
const say = (text: string) => drafts.text(`m-${text}`, text);
const bash = (id: string) => [call("Bash", { command: "ls" }, id), result("ok", { id })];
const shapeOf = (items: readonly Item[]) =>
  items.map((item) =>
    item instanceof StepGroup
      ? {
          steps: item.steps.map((step) => step.key),
          counts: item.counts,
          isFollowed: item.isFollowed,
        }
      : item.key,
  );

test("calls that follow on one another are one piece of work, until something is said", () => {
  const { items } = build([say("a"), ...bash("1"), ...bash("2"), say("b"), ...bash("3")]);
  expect(items.map((item) => (item instanceof StepGroup ? item.steps.length : "row"))).toEqual([
    "row",
    2,
    "row",
    1,
  ]);
  const [, first, , last] = items as readonly StepGroup[];
  expect(first?.hasHeading).toBe(true);
  expect(first?.isFollowed).toBe(true);
  expect(last?.hasHeading).toBe(false);
  expect(last?.isFollowed).toBe(false);
});

test("it counts what was done, what failed and what still runs", () => {
  const { items } = build([
    ...bash("1"),
    call("Read", { file_path: "/x" }, "2"),
    result("no", { id: "2", isError: true }),
    call("Bash", {}, "3"),
  ]);
  expect((items[0] as StepGroup).counts).toEqual({
    calls: 3,
    byKind: { command: 2, read: 1 },
    failed: 1,
    running: 1,
  });
});

test("a question stands by itself", () => {
  const { items } = build([...bash("1"), call("AskUserQuestion", {}, "q"), ...bash("2")]);
  expect(items.map((item) => item instanceof RowHandle)).toEqual([false, true, false]);
});

const aLog = fc
  .array(
    fc.oneof(
      fc.constantFrom("1", "2", "3", "4").map(bash),
      fc.constantFrom("a", "b", "c").map((text) => [say(text)]),
      fc.constant([drafts.turnEnd()]),
      fc.constantFrom("5", "6").map((id) => [call("Agent", {}, id)]),
      fc.constantFrom("5", "6").map((id) => [result("done", { id })]),
      fc.constantFrom("5", "6").map((id) => [call("Bash", {}, `in-${id}`, id)]),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.flat());

test("taken in pieces it is the same list", () => {
  fc.assert(
    fc.property(aLog, fc.nat(40), (log, cut) => {
      expect(shapeOf(build(log, 1, cut).items)).toEqual(shapeOf(build(log).items));
    }),
  );
});

test("with its beginning loaded later it is the same list, and rows that were there keep their handle", () => {
  createRoot((dispose) => {
    fc.assert(
      fc.property(aLog, fc.nat(40), (log, cut) => {
        const from = Math.min(cut, log.length);
        const late = build(log.slice(from), from + 1);
        const handles = new Map<string, unknown>(
          late.items.flatMap((item) =>
            item instanceof StepGroup
              ? item.steps.map((step) => [step.key, step] as const)
              : [[item.key, item] as const],
          ),
        );
        const whole = build(log);
        whole.succeed(late, new Folds());
        whole.publish();
        expect(shapeOf(whole.items)).toEqual(shapeOf(build(log).items));
        for (const item of whole.items)
          for (const handle of item instanceof StepGroup ? item.steps : [item])
            expect(handles.get(handle.key) ?? handle).toBe(handle);
      }),
    );
    dispose();
  });
});

test("what was seen of a piece of work stays seen when its beginning is loaded", () => {
  const log = [say("before"), ...bash("1"), ...bash("2"), say("after")];
  const late = build(log.slice(3), 4);
  const folds = new Folds();
  const whole = build(log);
  whole.succeed(late, folds);
  const group = whole.items[1] as StepGroup;
  expect(folds.isOpen(group.key, false)).toBe(true);
});
