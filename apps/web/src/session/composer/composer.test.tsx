import { afterEach, describe, expect, test } from "vitest";
import { drafts } from "@lodge/client/testing";
import type { EventDraft } from "@lodge/protocol";
import { press, renderInRoom, type } from "../../testing/render-in-room.tsx";
import { Composer } from "./composer.tsx";
import { createStop } from "./create-stop.ts";
import { Queue } from "./queue.tsx";

let page: ReturnType<typeof renderInRoom>;
const storage = new Map<string, string>();
const store = {
  getItem: (name: string) => storage.get(name) ?? null,
  setItem: (name: string, text: string) => void storage.set(name, text),
  removeItem: (name: string) => void storage.delete(name),
};
const field = () => page.host.querySelector("textarea") as HTMLTextAreaElement;

function open(log: readonly EventDraft[] = [], isTouch = false) {
  const Part = () => {
    const stop = createStop();
    return (
      <>
        <Queue onTakeBack={() => undefined} />
        <Composer draftKey="k" storage={store} isTouch={isTouch} stop={stop} />
      </>
    );
  };
  page = renderInRoom(log, () => <Part />);
}
/** Ready and in the middle of a turn. */
const busy: readonly EventDraft[] = [
  drafts.runStart(),
  {
    type: "run:ready",
    source: "cli",
    runId: "run-1",
    data: {
      complete: true,
      resumeId: "r1",
      model: "m",
      tools: [],
      cwd: null,
      mcpServers: [],
      permissionMode: "default",
      cliVersion: null,
      pid: 1,
      account: null,
      loggedIn: true,
      commands: [],
      models: [],
    },
  },
  drafts.turnStart(),
];

/** The CLI has said what it can do. */
const withCommands: readonly EventDraft[] = busy.map((draft) =>
  draft.type === "run:ready"
    ? {
        ...draft,
        data: {
          ...draft.data,
          commands: ["compact", "cost"].map((name) => ({
            name,
            description: `${name} it`,
            argumentHint: "",
          })),
        },
      }
    : draft,
);

afterEach(() => {
  page.dispose();
  storage.clear();
});

describe("the composer", () => {
  test("sends on Enter, once, and is empty then", () => {
    open();
    type(field(), "hello");
    expect(press(field(), "Enter").defaultPrevented).toBe(true);
    press(field(), "Enter");
    expect(page.acts().map((act) => act.body)).toMatchObject([
      { input: "hello", deliver: "queue" },
    ]);
    expect(field().value).toBe("");
    expect(storage.size).toBe(0);
  });

  test.each([
    ["Shift+Enter", { shiftKey: true }],
    ["Enter of an input method", { isComposing: true }],
  ])("%s is not for sending", (_what, init) => {
    open();
    type(field(), "hello");
    expect(press(field(), "Enter", init).defaultPrevented).toBe(false);
    expect(page.acts()).toEqual([]);
  });

  test("on a touch screen the button sends, Enter makes a line", () => {
    open([], true);
    type(field(), "hello");
    expect(press(field(), "Enter").defaultPrevented).toBe(false);
    page.button("Send").click();
    expect(page.acts()).toHaveLength(1);
  });

  test("sends nothing but what says something", () => {
    open();
    type(field(), "  \n ");
    press(field(), "Enter");
    expect(page.acts()).toEqual([]);
    expect(page.button("Send").getAttribute("aria-disabled")).toBe("true");
  });

  test("keeps the draft over a reload", () => {
    open();
    type(field(), "half a th");
    page.dispose();
    open();
    expect(field().value).toBe("half a th");
  });

  test("Ctrl+Enter steers while Claude works, and just sends otherwise", () => {
    open(busy);
    type(field(), "look out");
    press(field(), "Enter", { ctrlKey: true });
    page.append([drafts.turnEnd()]);
    type(field(), "then");
    press(field(), "Enter", { ctrlKey: true });
    expect(page.acts().map((act) => (act.body as { deliver: string }).deliver)).toEqual([
      "steer",
      "queue",
    ]);
  });

  test("a command is chosen with the keyboard, and Enter sends what is written out", () => {
    open(withCommands);
    type(field(), "/");
    const list = () => page.host.querySelector("[role=listbox]");
    expect([...(list()?.children ?? [])].map((row) => row.getAttribute("aria-selected"))).toEqual([
      "true",
      "false",
    ]);
    expect(press(field(), "ArrowDown").defaultPrevented).toBe(true);
    expect(field().getAttribute("aria-activedescendant")).toBe(list()?.children[1]?.id);
    expect(press(field(), "Tab").defaultPrevented).toBe(true);
    expect(field().value).toBe("/cost ");
    expect(list()).toBeNull();
    expect(press(field(), "Tab").defaultPrevented).toBe(false);

    type(field(), "/com");
    press(field(), "Escape");
    expect([list(), field().value]).toEqual([null, "/com"]);
    type(field(), "/compact");
    press(field(), "Enter");
    expect(page.acts()[0]?.body).toMatchObject({ input: "/compact" });
  });

  test("while Claude works it queues, or steers when asked to, for that one message", () => {
    open(busy);
    type(field(), "then this");
    page.button("Queue").click();
    type(field(), "now that");
    page.button("Steer").click();
    type(field(), "and later");
    page.button("Queue").click();
    expect(page.acts().map((act) => (act.body as { deliver: string }).deliver)).toEqual([
      "queue",
      "steer",
      "queue",
    ]);
  });
});

describe("the queue", () => {
  const rows = () => [...page.host.querySelectorAll(".queue li")].map((row) => row.textContent);

  test("shows a message as sending, then as queued, and can take it back", () => {
    open(busy);
    type(field(), "then this");
    press(field(), "Enter");
    page.show();
    expect(rows()).toEqual(["sendingthen this"]);
    const { inputId } = page.world.last().body as { inputId: string };
    page.append([drafts.queued(inputId, "then this")]);
    expect(rows()).toEqual(["queuedthen thisWithdraw"]);
    page.button("Withdraw").click();
    expect(page.world.last()).toMatchObject({
      method: "DELETE",
      path: expect.stringContaining(`/inputs/${inputId}`) as string,
    });
  });

  test("a message that was refused says why and stays at hand", async () => {
    open(busy);
    type(field(), "then this");
    press(field(), "Enter");
    page.world.last().respond(503, {
      error: { code: "store_unavailable", message: "", requestId: "r" },
    });
    await page.world.settle();
    page.show();
    expect(rows()[0]).toContain("cannot store anything");
    page.button("Send again").click();
    expect(page.acts()).toHaveLength(2);
    expect(page.acts()[1]?.body).toEqual(page.acts()[0]?.body);
  });
});
