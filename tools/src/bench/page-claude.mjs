#!/usr/bin/env node
/**
 * A CLI for the benchmark of the page: prints what a long session of work looks like, as fast as it
 * is asked to. An input is `<lines a second> <lines in all>`; 0 a second: as fast as they go.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

if (process.argv.includes("--version")) {
  process.stdout.write("0.0.0 (benchmark)\n");
  process.exit(0);
}

const print = async (message) => {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, "drain");
};
const usage = { input_tokens: 20, output_tokens: 200, cache_read_input_tokens: 20_000 };

const PROSE = [
  "The **cache** is bounded now. What was `unbounded` before has a size and an age, and both are settings.\n\n1. It is measured.\n2. It is tested.\n\nSee [the notes](https://example.com/notes).",
  "I looked at how it is used.\n\n```ts\nexport function most(values: readonly number[]): number {\n  return values.reduce((a, b) => Math.max(a, b), 0);\n}\n```\n\nThat is all that calls it.",
  "## What is left\n\n| part | state |\n| --- | --- |\n| reader | done |\n| writer | open |\n\n> Nothing that was seen is lost.\n\nNext I run the tests.",
  "Done. The tests pass, and the log says the same before and after.",
];
const COMMAND_OUTPUT = Array.from({ length: 40 }, (_, n) => `\u001b[32mok\u001b[0m test ${n}`).join(
  "\n",
);

/** Line by line: a call, its result, another call, its result, a message, and so on. */
function lineOf(n, sessionId) {
  const step = n % 10;
  const id = `toolu_${n - (n % 2)}`;
  const base = { parent_tool_use_id: null, session_id: sessionId };
  const said = (content) => ({
    ...base,
    type: "assistant",
    message: { id: `msg_${n}`, role: "assistant", model: "m", content: [content], usage },
  });
  const gave = (content, detail) => ({
    ...base,
    type: "user",
    timestamp: new Date().toISOString(),
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    tool_use_result: detail,
  });
  if (step === 8) return said({ type: "thinking", thinking: "What comes next?", signature: "" });
  if (step === 9) return said({ type: "text", text: PROSE[Math.floor(n / 10) % PROSE.length] });
  const tool = Math.floor(step / 2);
  const path = `/home/bench/src/file-${n % 97}.ts`;
  if (step % 2 === 0) {
    const calls = [
      { name: "Read", input: { file_path: path } },
      { name: "Bash", input: { command: `npm test -- --shard ${n % 7}`, description: "Test" } },
      { name: "Edit", input: { file_path: path, old_string: "a\nb", new_string: "a\nc\nd" } },
      { name: "Grep", input: { pattern: "TODO", path: "/home/bench" } },
    ];
    return said({ type: "tool_use", id, ...calls[tool] });
  }
  const patch = [
    { oldStart: 3, oldLines: 2, newStart: 3, newLines: 3, lines: [" a", "-b", "+c", "+d"] },
  ];
  const results = [
    [
      "1\texport const a = 1;",
      {
        type: "text",
        file: {
          filePath: path,
          content: "export const a = 1;\n",
          numLines: 1,
          startLine: 1,
          totalLines: 1,
        },
      },
    ],
    [COMMAND_OUTPUT, { stdout: COMMAND_OUTPUT, stderr: "", interrupted: false }],
    ["The file was updated.", { filePath: path, structuredPatch: patch }],
    [
      "Found 2 files\na.ts\nb.ts",
      { mode: "files_with_matches", filenames: ["a.ts", "b.ts"], numFiles: 2 },
    ],
  ];
  return gave(...results[tool]);
}

/** So many lines make a turn: what a person asks for next stands between them. */
let printed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const response = {
      subtype: "success",
      request_id: message.request_id,
      response: { account: {} },
    };
    await print({ type: "control_response", response });
    if (message.request.subtype === "end_session") process.exit(0);
  }
  if (message.type !== "user") continue;
  const [perSecond = 1, total = 1] = message.message.content.at(-1).text.split(" ").map(Number);
  const session_id = message.session_id ?? message.uuid;
  await print({
    type: "system",
    subtype: "init",
    session_id,
    tools: [],
    mcp_servers: [],
    model: "m",
  });
  await print({ ...message, isReplay: true, timestamp: new Date().toISOString() });
  const startedAt = Date.now();
  for (let n = 0; n < total; n++) {
    const ahead = startedAt + (n * 1000) / perSecond - Date.now();
    if (perSecond > 0 && ahead > 0) await delay(ahead);
    await print(lineOf(printed, session_id));
    printed += 1;
  }
  await print({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: Date.now() - startedAt,
    total_cost_usd: printed / 10_000,
    num_turns: 1,
    session_id,
    usage,
    modelUsage: {},
  });
}
