/** What to do when something failed, where the failure is one that a person can do something about. */
import { t, type TextKey } from "../../i18n/t.ts";

type Advice = Extract<TextKey, `advice.${string}`>;

/** By what the CLI calls an error of the model's side. */
const BY_ERROR: Readonly<Record<string, Advice>> = {
  authentication_failed: "advice.signIn",
  oauth_org_not_allowed: "advice.signIn",
  billing_error: "advice.billing",
  rate_limit: "advice.rateLimit",
  overloaded: "advice.overloaded",
  server_error: "advice.server",
  invalid_request: "advice.request",
  max_output_tokens: "advice.goOn",
};
/** By the code a run failed to start with. */
const BY_CODE: Readonly<Record<string, Advice>> = {
  cli_missing: "advice.cliMissing",
  cwd_missing: "advice.directory",
  bypass_refused: "advice.mode",
  bad_config: "advice.settings",
  run_env_unreadable: "advice.runner",
  spawn_failed: "advice.runner",
  spawn_timeout: "advice.sendAgain",
  runner_full: "advice.busy",
};
/** By what is said. The first that fits. */
const BY_WORDS: readonly (readonly [RegExp, Advice])[] = [
  [/not logged in|\/login|invalid api key|oauth token/i, "advice.signIn"],
  [/no conversation found|requires a valid session id/i, "advice.resume"],
  [/prompt is too long|context window/i, "advice.tooLong"],
  [/credit balance/i, "advice.billing"],
  [/overloaded/i, "advice.overloaded"],
];

/** null: nothing that would be more than a guess. */
export function adviseOn(failure: {
  readonly error?: string | null;
  readonly code?: string | null;
  readonly text?: string | null;
}): string | null {
  const { error, code, text } = failure;
  const words = text ?? "";
  const found =
    (typeof code === "string" ? BY_CODE[code] : undefined) ??
    BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ??
    (typeof error === "string" ? BY_ERROR[error] : undefined);
  return found === undefined ? null : t(found);
}
