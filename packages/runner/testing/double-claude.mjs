#!/usr/bin/env node
/**
 * A double of the CLI for tests: speaks enough stream-json to be driven, and has vices on demand.
 * Standalone on purpose, so that it can be named as LODGE_CLAUDE_BIN.
 *
 * Without a directive a user line is answered as the CLI answers: init, echo, assistant, result.
 * The text of a user line may hold directives, one a line, carried out in order:
 *
 *   !line <text>        print this line as it is
 *   !huge <bytes>       an assistant line of about that size
 *   !bytes <hex>        these bytes and a newline
 *   !half <text>        print this without a newline
 *   !stderr <text>      to stderr
 *   !ask <tool> <json>  ask for permission and wait for the answer
 *   !env                say the whole environment
 *   !fds                say the open descriptors
 *   !wait <ms>          wait
 *   !stubborn           from now on ignore SIGTERM and end_session
 *   !hopper <file>      start two trees that fork and leave their session every few ms
 *   !sleeper <file>     start a child in a session of its own, its pid in this file
 *   !hang               never say anything again, and do not end either
 *   !exit <code>        end at once
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readlinkSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const sessionId = process.argv.includes("--resume")
  ? argument("--resume")
  : argument("--session-id");
const HOPPER = fileURLToPath(new URL("hopper.sh", import.meta.url));

if (process.argv.includes("--version")) {
  process.stdout.write("0.0.0 (double)\n");
  process.exit(0);
}

let isStubborn = false;
let isHanging = false;
let interrupted = () => {};
const answers = new Map();

function write(bytes) {
  for (let rest = Buffer.from(bytes); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
const print = (message) => write(`${JSON.stringify(message)}\n`);
const succeed = (request_id, response) =>
  print({ type: "control_response", response: { subtype: "success", request_id, response } });

const say = (text) =>
  print({
    type: "assistant",
    message: {
      id: `msg_${randomUUID()}`,
      type: "message",
      role: "assistant",
      model: "double",
      content: [{ type: "text", text }],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: randomUUID(),
  });

const finish = (fields) =>
  print({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 1,
    num_turns: 1,
    result: "",
    session_id: sessionId,
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
    uuid: randomUUID(),
    ...fields,
  });

async function ask(words) {
  const [tool, ...json] = words.split(" ");
  const request_id = randomUUID();
  const answered = new Promise((resolve) => answers.set(request_id, resolve));
  print({
    type: "control_request",
    request_id,
    request: {
      subtype: "can_use_tool",
      tool_name: tool,
      display_name: tool,
      input: JSON.parse(json.join(" ") || "{}"),
      tool_use_id: `toolu_${request_id}`,
    },
  });
  say(`answered ${JSON.stringify(await answered)}`);
}

const directives = {
  line: (text) => write(`${text}\n`),
  huge: (bytes) => say("x".repeat(Number(bytes))),
  bytes: (hex) => write(Buffer.concat([Buffer.from(hex, "hex"), Buffer.from("\n")])),
  half: (text) => write(text),
  stderr: (text) => process.stderr.write(`${text}\n`),
  ask,
  env: () => say(JSON.stringify(process.env)),
  fds: () =>
    say(
      JSON.stringify(
        readdirSync("/proc/self/fd").flatMap((fd) => {
          try {
            return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
          } catch {
            return [];
          }
        }),
      ),
    ),
  wait: (ms) => delay(Number(ms)),
  stubborn: () => {
    isStubborn = true;
    process.on("SIGTERM", () => {});
  },
  hopper: (file) => {
    for (let i = 0; i < 4; i++)
      spawn("/bin/sh", [HOPPER, file, "5000"], { detached: true, stdio: "ignore" });
  },
  sleeper: (file) => {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    child.unref();
    writeFileSync(file, String(child.pid));
  },
  hang: () => {
    isHanging = true;
    return new Promise(() => {});
  },
  exit: (code) => process.exit(Number(code)),
};

async function takeTurn(message) {
  const { content } = message.message;
  const text =
    typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n");
  print({
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    session_id: sessionId,
    tools: ["Bash"],
    mcp_servers: [],
    model: "double",
    permissionMode: argument("--permission-mode"),
    claude_code_version: "0.0.0",
    uuid: randomUUID(),
  });
  print({ ...message, session_id: sessionId, isReplay: true, timestamp: new Date().toISOString() });
  const wasInterrupted = new Promise((resolve) => {
    interrupted = () => resolve(true);
  });
  const work = (async () => {
    let isEcho = true;
    for (const [, name, rest] of text.matchAll(/^!(\w+) ?(.*)$/gm)) {
      isEcho = false;
      await directives[name](rest);
    }
    if (isEcho) say(`Echo: ${text}`);
    return false;
  })();
  if (await Promise.race([work, wasInterrupted])) {
    finish({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_streaming",
    });
  } else finish({});
}

function takeControl({ request_id, request }) {
  if (request.subtype === "initialize") {
    succeed(request_id, {
      commands: [],
      agents: [],
      models: [],
      account: { tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY" },
      pid: process.pid,
    });
  } else if (request.subtype === "end_session") {
    if (isStubborn) return;
    succeed(request_id);
    process.exit(0);
  } else {
    succeed(request_id);
    if (request.subtype === "interrupt") interrupted();
  }
}

let turns = Promise.resolve();
function take(line) {
  if (isHanging || line.trim() === "") return;
  let message;
  try {
    message = JSON.parse(line);
    if (message.type === "user" && message.message.role !== "user") throw new Error("role");
  } catch (error) {
    process.stderr.write(
      `Error parsing streaming input line: ${line.slice(0, 200)}: ${error.message}\n`,
    );
    process.exit(1);
  }
  if (message.type === "control_request") takeControl(message);
  else if (message.type === "control_response") {
    answers.get(message.response.request_id)?.(message.response.response);
  } else if (message.type === "user") {
    turns = turns.then(() => takeTurn(message));
  }
}

let held = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (held + text).split("\n");
  held = lines.pop();
  for (const line of lines) take(line);
});
process.stdin.on("end", () => {
  // As the CLI: the turn is finished first.
  if (!isHanging) void turns.then(() => process.exit(0));
});
setInterval(() => {}, 1 << 30);
