/**
 * Host → CLI: every line that Lodge ever writes to a process's stdin is made here. One malformed
 * line ends the process, so there is no other way to write one.
 *
 * Ids are part of the contract: a line is delivered at most once per id (see stdinKey).
 */
import type { Effort, PermissionMode, PermissionUpdate, RunId } from "./event.ts";
import { encodeJsonLine } from "./well-formed.ts";

/** The one `initialize` that begins a run. */
export const initializeId = (runId: RunId): string => `init-${runId}`;
const RECONCILE = "reconcile-";
/** A repeated `initialize`, to learn which prompts are open. `nonce` makes it another request. */
export const reconcileId = (nonce: string): string => `${RECONCILE}${nonce}`;
export const isReconcileId = (requestId: string): boolean => requestId.startsWith(RECONCILE);

/** How every error answer of Lodge to an unknown request begins: the CLI may print it back. */
export const UNSUPPORTED_REQUEST = "Lodge does not support this request";

export type UserLine = {
  readonly inputId: string;
  readonly text: string;
  readonly contentBlocks: readonly unknown[];
};

/** What was attached comes before what was said about it. `uuid` is the input's id: the CLI drops a second one. */
export function encodeUserLine({ inputId, text, contentBlocks }: UserLine): string {
  const isEmpty = text === "" && contentBlocks.length > 0;
  const content = isEmpty ? contentBlocks : [...contentBlocks, { type: "text", text }];
  return encodeJsonLine({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    session_id: "",
    uuid: inputId,
  });
}

const encodeRequest = (requestId: string, request: Readonly<Record<string, unknown>>): string =>
  encodeJsonLine({ type: "control_request", request_id: requestId, request });

/** `requestId` from initializeId, the first of a run, or reconcileId. */
export const encodeInitialize = (requestId: string): string =>
  encodeRequest(requestId, { subtype: "initialize" });
export const encodeInterrupt = (requestId: string): string =>
  encodeRequest(requestId, { subtype: "interrupt" });
export const encodeEndSession = (requestId: string): string =>
  encodeRequest(requestId, { subtype: "end_session" });
export const encodeSetPermissionMode = (requestId: string, mode: PermissionMode): string =>
  encodeRequest(requestId, { subtype: "set_permission_mode", mode });
/** null: the CLI's own default. */
export const encodeSetModel = (requestId: string, model: string | null): string =>
  encodeRequest(requestId, { subtype: "set_model", ...(model !== null && { model }) });
/** null: the CLI's own default. */
export const encodeSetEffort = (requestId: string, effort: Effort | null): string =>
  encodeRequest(requestId, { subtype: "apply_flag_settings", settings: { effortLevel: effort } });
/** Take back an input that the CLI has queued but not begun. */
export const encodeCancelInput = (requestId: string, inputId: string): string =>
  encodeRequest(requestId, { subtype: "cancel_async_message", message_uuid: inputId });

/** `answer` as made by buildAnswer. */
export const encodePermissionAnswer = (
  requestId: string,
  answer: Readonly<Record<string, unknown>>,
): string =>
  encodeJsonLine({
    type: "control_response",
    response: { subtype: "success", request_id: requestId, response: answer },
  });
export const encodeControlError = (requestId: string, error: string): string =>
  encodeJsonLine({
    type: "control_response",
    response: { subtype: "error", request_id: requestId, error },
  });

/**
 * Where a granted rule is kept. What the CLI suggests for the project's local settings has no
 * effect in a directory it does not trust: for the session it always has.
 */
export const grantForSession = (update: PermissionUpdate): PermissionUpdate => {
  const destination = update["destination"];
  return destination === undefined || destination === "localSettings"
    ? { ...update, destination: "session" }
    : update;
};
