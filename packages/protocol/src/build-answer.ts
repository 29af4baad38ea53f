/** A person's answer to a prompt → what the CLI is told, in the shape that its kind of prompt takes. */
import { grantForSession } from "./control.ts";
import type { PromptState } from "./state.ts";
import type { AnswerBody } from "./http/sessions.ts";

export const DENIED_TEXT = "The user does not want this to be done.";

type Answer = Readonly<Record<string, unknown>>;
export type AnsweredPrompt = Pick<PromptState, "kind" | "input" | "toolUseId">;

/**
 * `prompt.input` must be the full original: where the log moved parts of it to blobs, put them back
 * first (restoreBlobs), or the tool would run on the references.
 */
export function buildAnswer(prompt: AnsweredPrompt, body: AnswerBody): Answer {
  const isAllowed = body.behavior === "allow";
  switch (prompt.kind) {
    case "elicitation":
      if (isAllowed) return { action: "accept", content: body.updatedInput ?? {} };
      return { action: body.interrupt === true ? "cancel" : "decline" };
    case "dialog":
      return isAllowed
        ? { behavior: "completed", result: body.updatedInput ?? {} }
        : { behavior: "cancelled" };
    case "tool":
    case "plan":
    case "question":
      return isAllowed ? allow(prompt, body) : deny(prompt, body);
  }
}

/** The CLI refuses an allow without `updatedInput`, and it is the tool's whole input, not a change to it. */
function allow(prompt: AnsweredPrompt, body: AnswerBody): Answer {
  const { updatedInput, updatedPermissions } = body;
  // Answers without the questions they answer crash the CLI.
  const input =
    prompt.kind === "question"
      ? { ...prompt.input, ...updatedInput, ...questionsOf(prompt) }
      : updatedInput;
  return {
    behavior: "allow",
    updatedInput: input ?? prompt.input,
    ...(updatedPermissions !== undefined && {
      updatedPermissions: updatedPermissions.map(grantForSession),
    }),
    ...(prompt.toolUseId !== null && { toolUseID: prompt.toolUseId }),
  };
}

const questionsOf = (prompt: AnsweredPrompt): Answer =>
  "questions" in prompt.input ? { questions: prompt.input["questions"] } : {};

/** The CLI refuses a deny without `message`. */
function deny(prompt: AnsweredPrompt, body: AnswerBody): Answer {
  const { message, interrupt } = body;
  return {
    behavior: "deny",
    message: message === undefined || message.trim() === "" ? DENIED_TEXT : message,
    ...(interrupt === true && { interrupt: true }),
    ...(prompt.toolUseId !== null && { toolUseID: prompt.toolUseId }),
  };
}
