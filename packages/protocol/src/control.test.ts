import { describe, expect, it } from "vitest";
import { buildAnswer, DENIED_TEXT } from "./build-answer.ts";
import {
  encodeCancelInput,
  encodeEndSession,
  encodeInitialize,
  encodeInterrupt,
  encodePermissionAnswer,
  encodeSetEffort,
  encodeSetModel,
  encodeSetPermissionMode,
  encodeUserLine,
  initializeId,
} from "./control.ts";
import { answerBody } from "./http/sessions.ts";
import { stdinKey } from "./stdin-key.ts";
import { isWellFormed, toWellFormed } from "./well-formed.ts";

describe("lines to the CLI", () => {
  it("[C1] a user line has its attachments before its text, and the input's id as uuid", () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AA==" },
    };
    const line = encodeUserLine({
      inputId: "i1",
      text: "What is it?\nSay.",
      contentBlocks: [image],
    });
    expect(JSON.parse(line)).toEqual({
      type: "user",
      message: { role: "user", content: [image, { type: "text", text: "What is it?\nSay." }] },
      parent_tool_use_id: null,
      session_id: "",
      uuid: "i1",
    });
    expect(line).not.toContain("\n");
    expect(
      JSON.parse(encodeUserLine({ inputId: "i", text: "", contentBlocks: [image] })),
    ).toMatchObject({ message: { content: [image] } });
  });

  it("[C2] no line carries half a character", () => {
    const line = encodeUserLine({
      inputId: "i",
      text: "a\ud83d b😀",
      contentBlocks: [{ type: "text", text: "\udc00" }],
    });
    expect(JSON.parse(line)).toMatchObject({
      message: { content: [{ text: "\ufffd" }, { text: "a\ufffd b😀" }] },
    });
    expect([isWellFormed("\ud83d"), isWellFormed("😀"), toWellFormed("😀")]).toEqual([
      false,
      true,
      "😀",
    ]);
  });

  it("[C3] every line has a key of its own, from its id", () => {
    const lines = [
      encodeInitialize(initializeId("r1")),
      encodeInterrupt("stop-4"),
      encodeSetPermissionMode("config-5-mode", "plan"),
      encodeSetModel("config-6-model", null),
      encodeSetEffort("config-7-effort", "high"),
      encodeCancelInput("cancel-i1", "i1"),
      encodeEndSession("end"),
      encodePermissionAnswer("p1", { behavior: "deny", message: "no" }),
      encodeUserLine({ inputId: "i1", text: "x", contentBlocks: [] }),
    ];
    expect(lines.map(stdinKey)).toEqual([
      "request:init-r1",
      "request:stop-4",
      "request:config-5-mode",
      "request:config-6-model",
      "request:config-7-effort",
      "request:cancel-i1",
      "request:end",
      "response:p1",
      "user:i1",
    ]);
    expect(
      lines.slice(1, 7).map((line) => (JSON.parse(line) as { request: unknown }).request),
    ).toEqual([
      { subtype: "interrupt" },
      { subtype: "set_permission_mode", mode: "plan" },
      { subtype: "set_model" },
      { subtype: "apply_flag_settings", settings: { effortLevel: "high" } },
      { subtype: "cancel_async_message", message_uuid: "i1" },
      { subtype: "end_session" },
    ]);
  });
});

describe("answers", () => {
  const tool = { kind: "tool", input: { command: "ls" }, toolUseId: "toolu_1" } as const;
  const body = (fields: object) => answerBody.parse(fields);

  it("[C9] allow always has the whole input: the person's, or the original", () => {
    expect(buildAnswer(tool, body({ behavior: "allow" }))).toEqual({
      behavior: "allow",
      updatedInput: { command: "ls" },
      toolUseID: "toolu_1",
    });
    expect(
      buildAnswer(tool, body({ behavior: "allow", updatedInput: { command: "pwd" } })),
    ).toMatchObject({ updatedInput: { command: "pwd" } });
  });

  it("[C5] deny always has a message", () => {
    expect(buildAnswer(tool, body({ behavior: "deny", message: " " }))).toEqual({
      behavior: "deny",
      message: DENIED_TEXT,
      toolUseID: "toolu_1",
    });
    expect(
      buildAnswer(tool, body({ behavior: "deny", message: "No", interrupt: true })),
    ).toMatchObject({ message: "No", interrupt: true });
  });

  it("[C10] a rule for the project's local settings is given to the session, where it has effect", () => {
    const updatedPermissions = [
      { type: "addRules", destination: "localSettings", rules: [] },
      { type: "setMode", mode: "acceptEdits" },
      { type: "addRules", destination: "userSettings", rules: [] },
    ];
    expect(
      buildAnswer(tool, body({ behavior: "allow", updatedPermissions }))["updatedPermissions"],
    ).toMatchObject([
      { destination: "session" },
      { destination: "session" },
      { destination: "userSettings" },
    ]);
  });

  it("[C7] answers to questions have the questions with them, as they were asked", () => {
    const questions = [{ question: "Which?" }];
    const prompt = { kind: "question", input: { questions }, toolUseId: null } as const;
    const updatedInput = { answers: { "Which?": "A" }, questions: "lost" };
    expect(buildAnswer(prompt, body({ behavior: "allow", updatedInput }))).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which?": "A" } },
    });
  });

  it("[C8] elicitations and dialogs have answers of their own shape", () => {
    const of = (kind: "elicitation" | "dialog", fields: object) =>
      buildAnswer({ kind, input: {}, toolUseId: null }, body(fields));
    expect(of("elicitation", { behavior: "allow", updatedInput: { name: "x" } })).toEqual({
      action: "accept",
      content: { name: "x" },
    });
    expect(of("elicitation", { behavior: "deny" })).toEqual({ action: "decline" });
    expect(of("elicitation", { behavior: "deny", interrupt: true })).toEqual({ action: "cancel" });
    expect(of("dialog", { behavior: "allow" })).toEqual({ behavior: "completed", result: {} });
    expect(of("dialog", { behavior: "deny" })).toEqual({ behavior: "cancelled" });
  });
});
