import { afterEach, expect, test } from "vitest";
import { DEMO_RULES } from "./demo-rules.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./server.ts";

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options);
  open.push(server);
  return server;
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: unknown;
}

function ask(
  server: ModelServer,
  prompt: string | Message[],
  more: object = {},
): Promise<Response> {
  const messages = typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;
  return fetch(`${server.url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "claude-test", messages, tools: [{ name: "Bash" }], ...more }),
  });
}

/** The parts of an answer that the tests look at. */
interface Answer {
  readonly content: { type: string; text?: string; name?: string; input?: unknown }[];
  readonly stop_reason: string;
  readonly usage: { input_tokens: number };
  readonly error: { type: string; message: string };
}

async function answer(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}

async function textOf(response: Promise<Response>): Promise<string> {
  return (await answer(response)).content.map((block) => block.text ?? "").join("");
}

test("without a script or a rule the prompt is echoed", async () => {
  expect(await textOf(ask(await start(), "hello\nthere"))).toBe("Echo: hello");
});

test("a script in the prompt is played step by step, by the assistant turns that follow it", async () => {
  const server = await start();
  const script = '@tool Bash {"command":"ls {{cwd}}"}\n@then\n@text saw {{match:a(.)c}}';
  const asked = { role: "user", content: `Working directory: /home/x\n${script}` } as const;
  const first = await answer(ask(server, [asked]));
  expect(first.content[0]).toMatchObject({
    type: "tool_use",
    name: "Bash",
    input: { command: "ls /home/x" },
  });
  expect(first.stop_reason).toBe("tool_use");
  const result = {
    type: "tool_result",
    tool_use_id: "t",
    content: [{ type: "text", text: "abc" }],
  };
  const rest = [
    asked,
    { role: "assistant", content: "" },
    { role: "user", content: [result] },
  ] as const;
  expect(await textOf(ask(server, [...rest]))).toBe("saw b");
});

test("reminders that the CLI adds are no part of the prompt", async () => {
  const text = "<system-reminder>@text no</system-reminder>hi";
  expect(await textOf(ask(await start(), text))).toBe("Echo: hi");
});

test("a streamed answer arrives as the API's events, word by word", async () => {
  const response = await ask(await start(), "@text one two\n@stop max_tokens", { stream: true });
  const body = await response.text();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect([...body.matchAll(/^event: (.+)$/gm)].map((found) => found[1])).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  expect(body).toContain('"stop_reason":"max_tokens"');
});

test("an error with times=N fails the first N attempts only", async () => {
  const server = await start();
  const prompt = "@error 529 times=1 retry-after=0 Busy\n@text fine";
  const failed = await ask(server, prompt);
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([529, "0"]);
  expect(await failed.json()).toMatchObject({
    error: { type: "overloaded_error", message: "Busy" },
  });
  expect(await textOf(ask(server, prompt))).toBe("fine");
});

test("@cut drops the socket in the middle, then sends all of it", async () => {
  const server = await start();
  const prompt = "@cut times=1 one two three four";
  await expect(ask(server, prompt, { stream: true }).then((r) => r.text())).rejects.toThrow();
  expect(await ask(server, prompt, { stream: true }).then((r) => r.text())).toContain("four");
});

test("a rule beats the prompt's script, and `once` means once", async () => {
  const server = await start({
    rules: [{ when: { text: "hi" }, reply: "@text ruled", once: true }],
  });
  expect(await textOf(ask(server, "hi\n@text own"))).toBe("ruled");
  expect(await textOf(ask(server, "hi\n@text own"))).toBe("own");
});

test("escapes and odd characters come through", async () => {
  expect(await textOf(ask(await start(), String.raw`@text a\nb \u{1F600} \x41 \\ \"`))).toBe(
    'a\nb 😀 A \\ "',
  );
});

test("a mistake in a script is a 400 that says so", async () => {
  const response = await ask(await start(), "@nonsense");
  expect(response.status).toBe(400);
  expect((await answer(Promise.resolve(response))).error.message).toContain(
    "@nonsense is no directive",
  );
});

test("requests are remembered for assertions", async () => {
  const server = await start();
  await ask(server, "remember me");
  expect(server.requests().at(-1)).toMatchObject({
    path: "/v1/messages",
    text: "remember me",
    tools: ["Bash"],
  });
});

test("rules can be replaced over HTTP", async () => {
  const server = await start();
  const body = JSON.stringify({ rules: [{ reply: "@text by wire" }] });
  await fetch(`${server.url}/__rules`, { method: "PUT", body });
  expect(await textOf(ask(server, "x"))).toBe("by wire");
});

test("every demo rule is a script that compiles, and a greeting gets the menu", async () => {
  const server = await start({ fallback: DEMO_RULES.map((rule) => withoutDelays(rule)) });
  for (const prompt of ["hi", "run a command", "write a file", "something slow", "think"]) {
    expect((await ask(server, prompt)).status, prompt).toBe(200);
  }
  expect(await textOf(ask(server, "hi"))).toContain("scripted model");
});

function withoutDelays(rule: (typeof DEMO_RULES)[number]): (typeof DEMO_RULES)[number] {
  const lines = typeof rule.reply === "string" ? rule.reply.split("\n") : rule.reply;
  return { ...rule, reply: lines.filter((line) => !line.startsWith("@slow")) };
}
