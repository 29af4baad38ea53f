import { afterEach, describe, expect, test } from "vitest";
import { AT, drafts, RUN } from "@lodge/client/testing";
import type { EventDataByType, EventDraft } from "@lodge/protocol";
import { adviseOn } from "./advice.ts";
import { call, renderRows, result } from "./testing/render-rows.tsx";

let page: ReturnType<typeof renderRows> | null = null;
afterEach(() => {
  page?.dispose();
  page = null;
});
function show(...log: readonly EventDraft[]) {
  page = renderRows(log);
  return page.host;
}
const notice = (data: EventDataByType["notice"]): EventDraft => ({
  type: "notice",
  source: "cli",
  runId: RUN,
  data,
});

describe("what Claude says", () => {
  test("is Markdown once that is loaded", async () => {
    const host = show(drafts.text("m1", "All **done**."));
    await expect.poll(() => host.querySelector("strong")?.textContent).toBe("done");
  });

  test("in its place an error of the API says what to do about it", () => {
    const said = drafts.text("m1", "Not logged in · Please run /login");
    const host = show({
      ...said,
      data: { ...said.data, synthetic: true, error: "authentication_failed" },
    } as EventDraft);
    expect(host.querySelector(".advice")?.textContent).toMatch(/^Sign in to Anthropic/);
  });
});

test.each([
  [{ error: "overloaded" }, /overloaded/],
  [{ code: "cli_missing", text: "There is no claude here." }, /LODGE_CLAUDE_BIN/],
  [{ code: "cwd_missing" }, /directory/],
  [{ text: "No conversation found with session ID: x" }, /new session/],
  [{ error: "unknown", text: "Prompt is too long" }, /\/compact/],
])("advice on %j", (failure, words) => {
  expect(adviseOn(failure)).toMatch(words);
});
test("where there is nothing to say, nothing is said", () => {
  expect(adviseOn({ error: "unknown", text: "What?" })).toBeNull();
});

describe("a limit", () => {
  const limit = (endsAt: number): EventDraft => ({
    type: "limit",
    source: "cli",
    runId: RUN,
    data: { kind: "usage", status: 429, error: null, attempt: null, maxAttempts: null, endsAt },
  });
  test("counts down", () => {
    expect(show(limit(AT + 90_000)).textContent).toMatch(/Usage limit until .* again in \d+/);
  });
  test("that is over does not", () => {
    const text = show(limit(AT + 90_000), drafts.text("m1", "Back.")).textContent;
    expect(text).toContain("Usage limit");
    expect(text).not.toContain("again in");
  });
});

describe("notices", () => {
  test("of the compaction mark where it was, with what it came to", () => {
    const host = show(
      notice({
        kind: "compacted",
        level: "info",
        text: "",
        raw: { pre_tokens: 150_000, post_tokens: 4_200 },
      }),
    );
    expect(host.querySelector(".marker")?.textContent).toContain("150k → 4.2k tokens");
  });

  test("of a line that is not known show it as it came, when asked", async () => {
    const host = show(
      notice({ kind: "unknown_line", level: "warning", text: "odd", raw: { type: "later" } }),
    );
    expect(host.textContent).not.toContain('"type": "later"');
    page?.folds.choose("1.raw", true);
    expect(host.textContent).toContain('"type": "later"');
  });
});

describe("a call", () => {
  test("is a line that says what and how it goes; its inside is on the page once it is opened", async () => {
    const host = show(call("Bash", { command: "ls -l" }), result("total 0"));
    expect(host.querySelector("summary")?.textContent).toContain("Bashls -l");
    expect(host.querySelector(".tool-body")).toBeNull();
    page?.folds.choose("tool:t1", true);
    await expect.poll(() => host.querySelector(".command")?.textContent).toContain("ls -l");
  });

  test("that is small and changes a file is open from the start", () => {
    const edit = (text: string) =>
      call("Edit", { file_path: "/x", old_string: "a", new_string: text });
    expect(show(edit("b")).querySelector("details")?.open).toBe(true);
    page?.dispose();
    expect(show(edit("b\n".repeat(40))).querySelector("details")?.open).toBe(false);
  });

  test("to an MCP server names the server and the tool", () => {
    expect(show(call("mcp__github__list_issues", {})).textContent).toContain(
      "github · list_issues",
    );
  });

  test("whose name and words hide something shows it", () => {
    const host = show(call("Bash", { command: "ls \u202ecod.exe" }));
    expect(host.querySelector("summary .hidden-character")?.textContent).toBe("U+202E");
  });
});

describe("an input", () => {
  const queued = (contentBlocks: readonly unknown[]): EventDraft => {
    const draft = drafts.queued("i1", "Look:\n  @ this");
    return { ...draft, data: { ...draft.data, contentBlocks } } as EventDraft;
  };
  test("is shown as it was typed, with its pictures", () => {
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    const host = show(queued([{ type: "image", source }]), drafts.sent("i1"));
    expect(host.querySelector("article")?.getAttribute("aria-label")).toBe("Message from You");
    expect(host.querySelector("pre")?.textContent).toBe("Look:\n  @ this");
    expect(host.querySelectorAll("img")).toHaveLength(1);
  });
});
