import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drafts, RUN } from "@lodge/client/testing";
import type { EventDraft, EventDataByType } from "@lodge/protocol";
import { press, renderInRoom, type } from "../../testing/render-in-room.tsx";
import { useSessionRoom } from "../session-context.ts";
import { ARM_AFTER_MS, PromptList } from "./prompt-list.tsx";

type Asked = EventDataByType["permission:requested"];
const ask = (facts: Partial<Asked> = {}): EventDraft => ({
  type: "permission:requested",
  source: "cli",
  runId: RUN,
  data: {
    requestId: "req-1",
    kind: "tool",
    toolName: "Bash",
    displayName: "Bash",
    input: { command: "ls" },
    suggestions: [],
    title: null,
    description: null,
    blockedPath: null,
    reason: null,
    reasonType: null,
    toolUseId: "toolu-1",
    agentId: null,
    ...facts,
  },
});
const resolve = (requestId: string): EventDraft => ({
  type: "permission:resolved",
  source: "person",
  runId: RUN,
  data: { requestId, outcome: "allowed", answer: null },
});
const running = [drafts.runStart(), drafts.turnStart()];

let page: ReturnType<typeof renderInRoom>;
function open(...asked: readonly EventDraft[]) {
  const List = () => {
    const { session } = useSessionRoom();
    return <PromptList prompts={session.state().prompts} cwd="/home/ada" />;
  };
  page = renderInRoom([...running, ...asked], () => <List />);
  vi.advanceTimersByTime(ARM_AFTER_MS);
}
const cards = () => page.host.querySelectorAll(".prompt");

// Only the page's own timers: the fake world has its own clock, and settles with real ones.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  page.dispose();
  vi.useRealTimers();
});

describe("a tool's prompt", () => {
  test("takes no focus, and Enter and Space on the page answer nothing", () => {
    open(ask());
    expect(page.host.contains(document.activeElement)).toBe(false);
    press(document.body, "Enter");
    press(document.body, " ");
    for (const element of page.host.querySelectorAll("pre, .prompt, .prompts"))
      press(element, "Enter");
    expect(page.acts()).toEqual([]);
    expect(page.button("Allow once").type).toBe("button");
    expect(page.host.querySelector("form, [autofocus]")).toBeNull();
  });

  test("is announced", () => {
    open(ask());
    expect(page.host.querySelector("[aria-live=assertive]")?.textContent).toContain("Bash");
  });

  test("allows once, with nothing but that", () => {
    open(ask());
    page.button("Allow once").click();
    page.button("Allow once").click();
    expect(page.acts()).toHaveLength(1);
    expect(page.acts()[0]).toMatchObject({
      path: expect.stringContaining("/permissions/req-1") as string,
      body: { behavior: "allow" },
    });
  });

  test("denies with words; Enter in them makes a line", () => {
    open(ask());
    page.button("Deny with a message…").click();
    const field = page.host.querySelector("textarea") as HTMLTextAreaElement;
    type(field, "use tabs");
    expect(press(field, "Enter").defaultPrevented).toBe(false);
    expect(page.acts()).toEqual([]);
    page.button("Deny").click();
    expect(page.acts()[0]?.body).toEqual({ behavior: "deny", message: "use tabs" });
  });

  test("says which rule `always` makes, and hands on exactly that", () => {
    const update = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "npm test:*" }, { toolName: "Read" }],
      behavior: "allow",
      destination: "localSettings",
    };
    open(ask({ suggestions: [update] }));
    const rules = [...page.host.querySelectorAll(".prompt-always li")].map(
      (rule) => rule.textContent,
    );
    expect(rules).toEqual(["allow Bash(npm test:*)", "allow Read"]);
    expect(page.host.querySelector(".prompt-always")?.textContent).toContain("for this session");
    page.button("Always allow").click();
    expect(page.acts()[0]?.body).toEqual({ behavior: "allow", updatedPermissions: [update] });
  });

  test("an offer that is not understood is shown as it is", () => {
    open(ask({ suggestions: [{ type: "future", what: "?" }] }));
    expect(page.host.querySelector(".prompt-always")?.textContent).toContain(
      '{"type":"future","what":"?"}',
    );
  });

  test.each([
    ["right-to-left override", "rm \u202Egpj.sh", "U+202E"],
    ["zero width space", "r\u200Bm -rf", "U+200B"],
    ["carriage return", "rm -rf /\rls", "U+000D"],
    ["escape sequence", "\u001b[8mrm\u001b[0m", "U+001B"],
    ["no-break space", "rm\u00A0-rf", "U+00A0"],
    ["tag character", "ls\u{E0041}", "U+E0041"],
    ["lone surrogate", "ls \ud83d", "U+D83D"],
    ["Hangul filler", "ls \u3164", "U+3164"],
  ])("names what cannot be seen: %s", (_what, command, name) => {
    open(ask({ input: { command } }));
    const shown = page.host.querySelector(".prompt-input pre");
    expect(shown?.querySelector(".hidden-character")?.textContent).toBe(name);
    expect(shown?.textContent).not.toContain(command);
  });

  test("shows a long input to its end, and its tail is in the page", () => {
    const command = `${"#".repeat(200_000)}; rm -rf ~`;
    open(ask({ input: { command } }));
    expect(page.host.querySelector(".prompt-input pre")?.textContent).toBe(command);
  });

  test("cannot be allowed before all of it was shown", async () => {
    const ref = {
      $blob: { id: "b1", size: 5_000_000, mediaType: "text/plain", head: "begin", tail: "end" },
    };
    open(
      ask({
        input: { file_path: "/x", content: ref },
        suggestions: [{ type: "setMode", mode: "acceptEdits" }],
      }),
    );
    page.button("Allow once").click();
    page.button("Always allow").click();
    expect(page.acts()).toEqual([]);
    expect(page.button("Allow once").getAttribute("aria-disabled")).toBe("true");
    page.blobs.set("b1", "begin, the hidden middle, end");
    page.button("Show all (4.8 MB)").click();
    vi.useRealTimers();
    await page.world.settle();
    expect(page.host.textContent).toContain("the hidden middle");
    page.button("Allow once").click();
    expect(page.acts()[0]?.body).toEqual({ behavior: "allow" });
  });

  test("a refused answer says why, and can be given again", async () => {
    open(ask());
    page.button("Allow once").click();
    vi.useRealTimers();
    page.world.last().respond(409, {
      error: { code: "already_resolved", message: "", requestId: "r" },
    });
    await page.world.settle();
    expect(page.host.querySelector("[role=alert]")?.textContent).toBe("This was answered already.");
    page.button("Deny").click();
    expect(page.acts()).toHaveLength(2);
  });
});

describe("several prompts", () => {
  test("stand side by side, each with its own answer", () => {
    open(ask(), ask({ requestId: "req-2", input: { command: "pwd" } }));
    expect(cards()).toHaveLength(2);
    const second = cards()[1]?.querySelectorAll("button");
    [...(second ?? [])].find((button) => button.textContent === "Allow once")?.click();
    expect(page.acts()[0]?.path).toContain("/permissions/req-2");
  });

  test("a press just after they moved is no answer", () => {
    open(ask(), ask({ requestId: "req-2" }));
    page.append([resolve("req-1")]);
    expect(cards()).toHaveLength(1);
    page.button("Allow once").click();
    expect(page.acts()).toEqual([]);
    vi.advanceTimersByTime(ARM_AFTER_MS);
    page.button("Allow once").click();
    expect(page.acts()).toHaveLength(1);
  });

  test("what was written on a card survives a reconnect and a neighbour's end", () => {
    open(ask(), ask({ requestId: "req-2" }));
    const second = cards()[1] as HTMLElement;
    [...second.querySelectorAll("button")]
      .find((button) => button.textContent === "Deny with a message…")
      ?.click();
    type(second.querySelector("textarea") as HTMLTextAreaElement, "half a th");
    page.server.breakConnection();
    page.append([resolve("req-1")]);
    expect(cards()).toHaveLength(1);
    expect(cards()[0]).toBe(second);
    expect(second.querySelector("textarea")?.value).toBe("half a th");
  });

  test("one that is withdrawn goes away", () => {
    open(ask());
    page.append([
      {
        ...resolve("req-1"),
        data: { requestId: "req-1", outcome: "withdrawn", answer: null },
      } as EventDraft,
    ]);
    expect(cards()).toHaveLength(0);
  });
});

describe("a plan", () => {
  const plan = ask({
    kind: "plan",
    toolName: "ExitPlanMode",
    displayName: "",
    input: { plan: "1. do it" },
  });

  test("is shown, and approved into the mode from before unless another is chosen", () => {
    open(plan);
    expect(page.host.querySelector(".plan")?.textContent).toBe("1. do it");
    page.button("Approve plan").click();
    expect(page.acts()[0]?.body).toEqual({ behavior: "allow" });
  });

  test("goes on in the chosen mode, never in one without checks", () => {
    open(plan);
    const modes = [...page.host.querySelectorAll<HTMLInputElement>(".plan-modes input")];
    expect(modes.map((mode) => mode.value)).toEqual(["", "default", "acceptEdits"]);
    expect(modes.map((mode) => mode.checked)).toEqual([true, false, false]);
    modes[2]?.click();
    page.button("Approve plan").click();
    expect(page.acts()[0]?.body).toEqual({
      behavior: "allow",
      updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    });
  });
});

describe("a question", () => {
  const questions = [
    {
      question: "Which colour?",
      header: "Colour",
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cold" },
      ],
      multiSelect: false,
    },
    {
      question: "Which sizes?",
      header: "Size",
      options: [{ label: "S" }, { label: "L" }],
      multiSelect: true,
    },
  ];
  const question = ask({ kind: "question", toolName: "AskUserQuestion", input: { questions } });
  const inputs = () => [...page.host.querySelectorAll<HTMLInputElement>("input")];
  const others = () => [...page.host.querySelectorAll("textarea")];

  test("is answered by its own text, picks joined, with the questions sent along", () => {
    open(question);
    page.button("Answer").click();
    expect(page.acts()).toEqual([]);
    inputs()[1]?.click();
    inputs()[2]?.click();
    inputs()[3]?.click();
    page.button("Answer").click();
    expect(page.acts()[0]?.body).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which colour?": "Blue", "Which sizes?": "S, L" } },
    });
  });

  test("can be answered in one's own words, which replace a single pick", () => {
    open(question);
    inputs()[0]?.click();
    type(others()[0] as HTMLTextAreaElement, "Green");
    expect(inputs()[0]?.checked).toBe(false);
    inputs()[2]?.click();
    type(others()[1] as HTMLTextAreaElement, "XXL");
    page.button("Answer").click();
    expect(page.acts()[0]?.body).toMatchObject({
      updatedInput: { answers: { "Which colour?": "Green", "Which sizes?": "S, XXL" } },
    });
  });

  test("that is not understood is shown whole instead", () => {
    open(ask({ kind: "question", toolName: "AskUserQuestion", input: { questions: "?" } }));
    expect(page.host.querySelector(".prompt-input")?.textContent).toContain("questions?");
  });
});
