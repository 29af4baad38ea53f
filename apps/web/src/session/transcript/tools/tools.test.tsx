import { afterEach, describe, expect, test } from "vitest";
import type { EventDraft } from "@lodge/protocol";
import { HOSTILE_TEXTS } from "@lodge/protocol/testing";
import { call, renderTool, result, rowsOf } from "../testing/render-rows.tsx";
import type { ToolRow } from "../row.ts";
import { readOutcome } from "./bash-view.tsx";
import { unnumber } from "./file-views.tsx";
import { changesInput } from "./tool-body.tsx";
import { summariseTool } from "./tool-summary.ts";

let page: ReturnType<typeof renderTool> | null = null;
afterEach(() => {
  page?.dispose();
  page = null;
});
const show = (...log: readonly EventDraft[]) => {
  page = renderTool(log);
  return page;
};
const all = (selector: string) => [...(page?.host.querySelectorAll(selector) ?? [])];
const toolRow = (...log: readonly EventDraft[]) => rowsOf(log)[0] as ToolRow;

describe("Bash", () => {
  const command = call("Bash", { command: "npm test\u202e", description: "Test" });
  test("shows the command with what hides in it, its output in colour, and how it ended", () => {
    show(command, result("ok", { detail: { stdout: "\u001b[32mok\u001b[0m", stderr: "" } }));
    expect(page?.text()).toContain("npm testU+202E");
    expect(page?.host.querySelector(".ansi-2")?.textContent).toBe("ok");
    expect(page?.text()).toContain("Exit code 0");
  });

  test.each([
    [result("Exit code 3\nls: nowhere", { isError: true }), 3, "ls: nowhere", "Exit code 3"],
    [result("Exit code 127", { isError: true }), 127, "", "Exit code 127"],
    [result("The user said no.", { isError: true }), null, null, ""],
    [result("", { detail: { stdout: "", stderr: "" } }), 0, "", "Finished without output"],
    [
      result("x", { detail: { stdout: "x", stderr: "", interrupted: true } }),
      null,
      "x",
      "Interrupted",
    ],
    [
      result("x", { detail: { stdout: "", backgroundTaskId: "b1" } }),
      0,
      "",
      "Goes on in the background as b1",
    ],
    [
      result("x", { detail: { stdout: "x", persistedOutputSize: 80_000 } }),
      0,
      "x",
      "Claude saw the beginning only; all 78 KB are in a file beside it",
    ],
    [result("plain, without an account"), 0, null, "Exit code 0"],
  ] as const)("outcome %#", (given, code, output, words) => {
    expect(readOutcome(toolRow(command, given))).toMatchObject({ code, output, words });
  });

  test("runs until it has a result", () => {
    expect(readOutcome(toolRow(command))).toBeNull();
  });
});

describe("files", () => {
  test("an edit shows the lines with their numbers in the file", () => {
    const patch = [
      { oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: ["-a", "+b\u200b"] },
    ];
    show(
      call("Edit", { file_path: "/x/y.ts", old_string: "a", new_string: "b" }),
      result("done", { detail: { structuredPatch: patch } }),
    );
    expect(all("tr").map((row) => row.textContent)).toEqual(["7−removed:a", "7+added:bU+200B"]);
    expect(page?.text()).toContain("+1 −1");
  });

  test("an edit that has not happened is told apart by itself; several edits each by themselves", () => {
    show(
      call("MultiEdit", {
        file_path: "/x",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      }),
    );
    expect(all(".diff")).toHaveLength(2);
  });

  test("a read shows the file without the numbers that the model was given", () => {
    expect(unnumber("  12→a\n  13→\tb")).toEqual({ text: "a\n\tb", first: 12 });
    expect(unnumber("1\ta\n2\tb\n\n<system-reminder>x</system-reminder>")).toEqual({
      text: "a\nb",
      first: 1,
    });
    expect(unnumber("no numbers")).toBeNull();
    show(
      call("Read", { file_path: "/x/y.ts" }),
      result("", {
        detail: {
          type: "text",
          file: { content: "let a;", numLines: 1, startLine: 5, totalLines: 9 },
        },
      }),
    );
    expect(page?.text()).toContain("1 of 9 lines");
    expect(page?.text()).toContain("From line 5");
    expect(page?.text()).toContain("let a;");
  });

  test("a picture that was read is shown from the event", () => {
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    show(call("Read", { file_path: "/x.png" }), result([{ type: "image", source }]));
    expect(page?.host.querySelector("img")?.src).toBe("data:image/png;base64,iVBORw0KGgo=");
  });

  test("a picture from elsewhere, or of another type, is none", () => {
    const blocks = [
      { type: "image", source: { type: "url", url: "http://canary.invalid/x.png" } },
      { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "PHN2Zz4=" } },
    ];
    show(call("Read", { file_path: "/x" }), result(blocks));
    expect(page?.host.querySelector("img")).toBeNull();
  });
});

describe("long texts", () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}.`).join("\n");
  test("are folded, and whole on demand", () => {
    show(call("Other", {}), result(lines));
    expect(page?.text()).not.toContain("line 50.");
    page?.button("Show 80 more lines").click();
  });

  test("that are in the blob store come from there", async () => {
    const ref = {
      $blob: { id: "b1", size: 2_000_000, mediaType: "text/plain", head: "HEAD", tail: "TAIL" },
    };
    const { blobs, button, text } = show(call("Other", {}), result([{ type: "text", text: ref }]));
    expect(text()).toMatch(/HEAD.*TAIL/s);
    button("Show all (1.9 MB)").click();
    await expect.poll(text).toContain("Could not be loaded");
    blobs.set("b1", `HEAD ${"middle ".repeat(50_000)} TAIL`);
    button("Could not be loaded. Try again (1.9 MB)").click();
    await expect.poll(text).toContain("middle middle");
    expect(page?.hasButton("Show more (1 of 4 parts shown)")).toBe(true);
  });
});

test("a search says what it found; one without a find says so", () => {
  show(
    call("Grep", { pattern: "TODO", path: "/x" }),
    result("Found 2 files", { detail: { filenames: ["a.ts", "b.ts"], numFiles: 2 } }),
  );
  expect(page?.text()).toContain("2 files");
  expect(page?.text()).toContain("a.ts\nb.ts");
  page?.dispose();
  show(call("Glob", { pattern: "*.x" }), result("", { detail: { filenames: [], numFiles: 0 } }));
  expect(page?.text()).toContain("Nothing was found.");
});

test("a subagent's doings are under its call, the newest of many", () => {
  const children = Array.from({ length: 60 }, (_, n) =>
    call("Bash", { command: `c${n}` }, `c${n}`, "t1"),
  );
  show(
    call("Agent", { description: "Look", prompt: "Look **around**", subagent_type: "Explore" }),
    ...children,
    result([{ type: "text", text: "agentId: x" }], {
      detail: { content: [{ type: "text", text: "All **fine**." }], totalToolUseCount: 60 },
    }),
  );
  expect(all(".tool")).toHaveLength(40);
  expect(page?.hasButton("Show earlier steps (20)")).toBe(true);
  expect(page?.text()).not.toContain("agentId");
});

describe("what a person was asked", () => {
  const questions = [
    {
      question: "Which?",
      header: "H",
      options: [
        { label: "Red", description: "" },
        { label: "Blue", description: "" },
      ],
      multiSelect: true,
    },
  ];
  test("shows the options, those that were picked, and what was written beside them", () => {
    show(
      call("AskUserQuestion", { questions }),
      result("answered", { detail: { questions, answers: { "Which?": "Blue, dark ones" } } }),
    );
    expect(all("[data-picked]").map((item) => item.textContent)).toEqual(["Blue (picked)"]);
    expect(page?.host.querySelector(".asked-other")?.textContent).toBe("dark ones");
  });

  const asked = (toolName: string, input: Record<string, unknown>): EventDraft => ({
    type: "permission:requested",
    source: "cli",
    runId: "run-1",
    data: {
      requestId: "r1",
      kind: "tool",
      toolName,
      displayName: toolName,
      input,
      suggestions: [],
      title: null,
      description: null,
      blockedPath: null,
      reason: null,
      reasonType: null,
      toolUseId: "t1",
      agentId: null,
    },
  });
  const answered = (answer: Record<string, unknown>): EventDraft => ({
    type: "permission:resolved",
    source: "person",
    runId: "run-1",
    by: { userId: "u1", via: "browser" },
    data: { requestId: "r1", outcome: "allowed", answer },
  });

  test("stands with its answer in the call, and says when something else was allowed", () => {
    const input = { command: "ls" };
    const log = (changed: unknown) => [
      call("Bash", input),
      asked("Bash", input),
      answered({ behavior: "allow", updatedInput: changed }),
    ];
    expect(rowsOf(log(input)).map((row) => row.kind)).toEqual(["tool"]);
    expect(changesInput(toolRow(...log(input)))).toBe(false);
    expect(changesInput(toolRow(...log({ command: "ls -l" })))).toBe(true);
    show(...log({ command: "ls -l" }));
    expect(page?.text()).toMatch(/You allowed Bash.*with a changed input/);
  });
});

test("the task list is shown as each call left it", () => {
  const log = [
    call("TaskCreate", { subject: "Write" }, "a"),
    result("Task #1 created successfully: Write", { id: "a", detail: { task: { id: "1" } } }),
    call("TaskCreate", { subject: "Ship" }, "b"),
    result("Task #2 created successfully: Ship", { id: "b" }),
    call("TaskUpdate", { taskId: "1", status: "completed" }, "c"),
    result("Updated", { id: "c" }),
  ];
  const rows = rowsOf(log) as readonly ToolRow[];
  expect(rows.map((row) => row.todos?.map((todo) => `${todo.subject} ${todo.status}`))).toEqual([
    ["Write pending"],
    ["Write pending", "Ship pending"],
    ["Write completed", "Ship pending"],
  ]);
  expect(rows.map((row) => summariseTool(row))).toEqual(["Write", "Ship", "Write: done"]);
});

test("whatever a tool is given and gives is text, in every renderer", () => {
  const names = [
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Grep",
    "WebFetch",
    "Agent",
    "ExitPlanMode",
    "mcp__x__y",
    "Odd",
  ];
  for (const name of names)
    // The long ones are about time, and what takes time is the same in all of them.
    for (const text of HOSTILE_TEXTS.filter((one) => one.length < 2_000 || name === "Bash")) {
      const input = {
        command: text,
        description: text,
        file_path: text,
        content: text,
        old_string: "a",
        new_string: text,
        pattern: text,
        url: text,
        prompt: text,
        plan: text,
        [text.slice(0, 50)]: text,
      };
      const { host, dispose } = renderTool([call(name, input), result(text)]);
      expect(
        host.querySelector("script,iframe,object,embed,img,svg,style,link,form,base,meta"),
      ).toBeNull();
      for (const link of host.querySelectorAll("a"))
        expect(link.protocol).toMatch(/^(https?|mailto):$/);
      dispose();
    }
  page = null;
});
