#!/usr/bin/env node
/**
 * A CLI for the live benchmark: after its first input it prints lines of about 1 KB at a steady
 * rate, each with the moment it was printed. The input says how many a second and how many in all.
 */
import { createInterface } from "node:readline";
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

if (process.argv.includes("--version")) {
  process.stdout.write("0.0.0 (benchmark)\n");
  process.exit(0);
}
const print = (message) => writeSync(1, `${JSON.stringify(message)}\n`);
const filler = "x".repeat(700);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const response = {
      subtype: "success",
      request_id: message.request_id,
      response: { account: {} },
    };
    print({ type: "control_response", response });
    if (message.request.subtype === "end_session") process.exit(0);
  }
  if (message.type !== "user") continue;
  const text = message.message.content.at(-1).text;
  const [perSecond = 1, total = 1] = text.split(" ").map(Number);
  print({
    type: "system",
    subtype: "init",
    session_id: message.uuid,
    tools: [],
    mcp_servers: [],
    model: "m",
  });
  print({ ...message, isReplay: true, timestamp: new Date().toISOString() });
  const startedAt = Date.now();
  for (let printed = 0; printed < total; printed++) {
    // By the clock, not by the pause: the rate must hold however long a line takes.
    await delay(startedAt + (printed * 1000) / perSecond - Date.now());
    const at = performance.timeOrigin + performance.now();
    const content = [{ type: "text", text: `${at} ${filler}` }];
    print({
      type: "assistant",
      parent_tool_use_id: null,
      message: { id: `m${printed}`, role: "assistant", model: "m", content, usage: {} },
    });
  }
  print({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 1,
    usage: {},
    modelUsage: {},
  });
}
