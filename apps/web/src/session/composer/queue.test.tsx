/** What waits can be edited and moved, and the focus goes with it. */
import { afterEach, expect, test } from "vitest";
import { drafts } from "@lodge/client/testing";
import type { EventDraft } from "@lodge/protocol";
import { renderInRoom } from "../../testing/render-in-room.tsx";
import { Queue, type QueueHandle } from "./queue.tsx";

const IDS = [1, 2, 3].map((n) => `0a000000-0000-4000-8000-00000000000${n}`);
let page: ReturnType<typeof renderInRoom>;
let handle: QueueHandle | undefined;
afterEach(() => page.dispose());

function open() {
  page = renderInRoom(
    [
      drafts.runStart(),
      drafts.turnStart(),
      ...IDS.map((id, index) => drafts.queued(id, `message ${index + 1}`)),
    ],
    () => (
      <Queue
        onTakeBack={() => undefined}
        ref={(given) => {
          handle = given;
        }}
      />
    ),
  );
}
const buttonOf = (row: number, act: string) => {
  const rows = page.host.querySelectorAll("li");
  const found = rows[row]?.querySelector<HTMLButtonElement>(`[data-act="${act}"]`);
  if (!found) throw new Error(`no ${act} in row ${row}`);
  return found;
};
const replaced = (from: string, to: string, before?: string | null): EventDraft[] => [
  {
    type: "input:queued",
    source: "person",
    runId: null,
    data: {
      inputId: to,
      text: "message",
      contentBlocks: [],
      deliver: "queue",
      replaces: from,
      ...(before === undefined ? {} : { before }),
    },
  },
  {
    type: "input:cancelled",
    source: "person",
    runId: null,
    data: { inputId: from, reason: "replaced" },
  },
];

test("moving up stands it before the one above, moving down behind the one below", async () => {
  open();
  expect(buttonOf(0, "up").getAttribute("aria-disabled")).toBe("true");
  expect(buttonOf(2, "down").getAttribute("aria-disabled")).toBe("true");
  buttonOf(2, "up").click();
  expect(page.world.last()).toMatchObject({
    method: "POST",
    path: expect.stringContaining(`/inputs/${IDS[2]}/replace`) as string,
    body: { before: IDS[1] },
  });
  buttonOf(0, "down").click();
  expect(page.world.last().body).toMatchObject({ before: IDS[2] });
  buttonOf(1, "down").click();
  expect(page.world.last().body).toMatchObject({ before: null });
});

test("the focus is where it was when the moved one is there under its new id", () => {
  open();
  const up = buttonOf(2, "up");
  up.focus();
  up.click();
  const { inputId } = page.world.last().body as { inputId: string };
  page.append(replaced(IDS[2] ?? "", inputId, IDS[1]));
  const row = page.host.querySelector(`[data-input="${inputId}"]`);
  expect(row).toBe(page.host.querySelectorAll("li")[1]);
  expect(document.activeElement).toBe(row?.querySelector('[data-act="up"]'));
});

test("editing begins with the whole text, and replaces it in its place", async () => {
  open();
  handle?.editLast();
  await page.world.settle();
  const field = page.host.querySelector("textarea");
  expect(field?.value).toBe("message 3");
  if (field) field.value = "another message";
  page.button("Save").click();
  expect(page.world.last().body).toMatchObject({ input: "another message" });
  expect(page.world.last().body).not.toHaveProperty("before");
});

test("one that was handed over meanwhile says so and changes nothing", async () => {
  open();
  buttonOf(1, "edit").click();
  await page.world.settle();
  page.button("Save").click();
  page.world.last().respond(409, {
    error: { code: "conflict", message: "It was handed over.", requestId: "r" },
  });
  await page.world.settle();
  expect(page.host.querySelector("[role=alert]")?.textContent).toBe("It was handed over.");
});
