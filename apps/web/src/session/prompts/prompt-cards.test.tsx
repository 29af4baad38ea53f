/** What can be done on the cards beyond yes and no. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drafts, RUN } from "@lodge/client/testing";
import type { EventDataByType, EventDraft } from "@lodge/protocol";
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

let page: ReturnType<typeof renderInRoom>;
function open(...asked: readonly EventDraft[]) {
  const List = () => {
    const { session } = useSessionRoom();
    return <PromptList prompts={session.state().prompts} cwd="/home/ada" />;
  };
  page = renderInRoom([drafts.runStart(), drafts.turnStart(), ...asked], () => <List />);
  vi.advanceTimersByTime(ARM_AFTER_MS);
}
const area = (at = 0) => {
  const found = page.host.querySelectorAll("textarea")[at];
  if (found === undefined) throw new Error(`no text area ${at}`);
  return found;
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  page.dispose();
  vi.useRealTimers();
});

test("a command is allowed as edited, whole", () => {
  open(ask({ input: { command: "rm -rf build", timeout: 5 } }));
  page.button("Edit…").click();
  expect(document.activeElement).toBe(area());
  page.button("Allow as edited").click();
  expect(page.acts()).toEqual([]);
  type(area(), "rm -rf build/cache");
  press(area(), "Enter");
  expect(page.acts()).toEqual([]);
  page.button("Allow as edited").click();
  expect(page.acts()[0]?.body).toEqual({
    behavior: "allow",
    updatedInput: { command: "rm -rf build/cache", timeout: 5 },
  });
});

test("what cannot be read as JSON is said, and cannot be allowed", () => {
  open(ask({ toolName: "mcp__x__y", input: { filter: { a: 1 } } }));
  page.button("Edit…").click();
  type(area(), "{ a: ");
  expect(page.host.textContent).toContain("Not valid");
  page.button("Allow as edited").click();
  expect(page.acts()).toEqual([]);
});

test("what is invisible in a field is named beside it", () => {
  open(ask({ input: { command: "ls\u202e" } }));
  expect(page.host.querySelector(".hidden-character")?.textContent).toBe("U+202E");
  page.button("Edit…").click();
  expect(page.host.textContent).toContain("U+202E");
});

test("an edit shows both texts until the diff is there, and the file it is in", () => {
  open(
    ask({
      toolName: "Edit",
      displayName: "Edit",
      input: { file_path: "/a.ts", old_string: "one", new_string: "two", replace_all: true },
    }),
  );
  expect(page.host.querySelector(".prompt-path")?.textContent).toBe("/a.ts");
  expect(page.host.textContent).toMatch(/one[^]*two[^]*replace_all[^]*true/);
});

test("a form is filled in and answered; Enter in it answers nothing", () => {
  open(
    ask({
      kind: "elicitation",
      toolName: "tiny",
      input: {
        mcp_server_name: "tiny",
        message: "Your name?",
        mode: "form",
        requested_schema: {
          type: "object",
          properties: { name: { type: "string", title: "Name" } },
          required: ["name"],
        },
      },
    }),
  );
  expect(page.host.textContent).toContain("tiny asks you");
  page.button("Answer").click();
  expect(page.acts()).toEqual([]);
  const field =
    page.host.querySelector<HTMLInputElement>("input:not([type])") ??
    page.host.querySelector<HTMLInputElement>("input");
  if (field === null) throw new Error("no field");
  type(field, "Ada");
  press(field, "Enter");
  expect(page.acts()).toEqual([]);
  page.button("Answer").click();
  expect(page.acts()[0]?.body).toEqual({ behavior: "allow", updatedInput: { name: "Ada" } });
});

test("a page to visit is shown as it is written, and declined or cancelled apart", () => {
  const url = "https://example.test/auth?x=1";
  open(ask({ kind: "elicitation", input: { message: "Sign in", mode: "url", url } }));
  const link = page.host.querySelector("a");
  expect([link?.href, link?.rel]).toEqual([url, "noopener noreferrer"]);
  expect(page.host.querySelector(".elicitation-url pre")?.textContent).toBe(url);
  page.button("Cancel").click();
  expect(page.acts()[0]?.body).toEqual({ behavior: "deny", interrupt: true });
});

test("an option's preview is shown as text", () => {
  open(
    ask({
      kind: "question",
      toolName: "AskUserQuestion",
      input: {
        questions: [
          {
            question: "Which?",
            header: "Look",
            options: [
              { label: "A", description: "", preview: "<b>a</b>" },
              { label: "B", description: "", preview: "bb" },
            ],
            multiSelect: false,
          },
        ],
      },
    }),
  );
  expect(page.host.querySelector(".question-preview")?.textContent).toBe("<b>a</b>");
  page.host.querySelectorAll<HTMLInputElement>("input")[1]?.click();
  expect(page.host.querySelector(".question-preview")?.textContent).toBe("bb");
});

const resolved = (by: EventDraft["by"]): EventDraft => ({
  type: "permission:resolved",
  source: "person",
  runId: RUN,
  ...(by === undefined ? {} : { by }),
  data: { requestId: "req-1", outcome: "denied", answer: null },
});

test("what somebody else answered is told; what was answered here is not", async () => {
  open(ask(), ask({ requestId: "req-2", displayName: "Read" }));
  page.append([resolved({ userId: "u2", via: "browser" })]);
  expect(page.host.querySelector(".closed-notes")?.textContent).toContain("Bash: denied by u2");
  page.host.querySelector<HTMLButtonElement>(".closed-notes button")?.click();
  expect(page.host.querySelector(".closed-notes")).toBeNull();

  vi.advanceTimersByTime(ARM_AFTER_MS);
  page.button("Allow once").click();
  page.append([
    {
      type: "permission:resolved",
      source: "person",
      runId: RUN,
      by: { userId: "u1", via: "browser" },
      data: { requestId: "req-2", outcome: "allowed", answer: null },
    },
  ]);
  expect(page.host.querySelector(".closed-notes")).toBeNull();
});

test("one's own answer on another page is told as that", () => {
  open(ask());
  page.append([resolved({ userId: "u1", via: "browser" })]);
  expect(page.host.textContent).toContain("Bash: denied by you, on another page");
});
