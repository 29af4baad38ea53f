/**
 * How each recording ends, read off the recordings by hand. A row that a change of the fold or of
 * the normaliser breaks is to be settled by the recording, never by the code.
 */
import type { NoticeKind, PermissionMode, RunEndReason } from "../event.ts";
import type { ResolvedPrompt, SessionStatus } from "../state.ts";

export type RecordedEnd = {
  readonly turns: number;
  /** Phases in the order the inputs were sent, separated by spaces. */
  readonly inputs: string;
  /** Just before the process was gone. */
  readonly status: SessionStatus;
  readonly cost: number;
  /** input + output of the last top-level call; 0: there was none, or it was compacted away. */
  readonly context: number;
  readonly window: number | null;
  readonly model: string | null;
  readonly mode: PermissionMode;
  readonly prompts: readonly ResolvedPrompt["outcome"][];
  readonly tasks: readonly string[];
  readonly error: string | null;
  readonly failedStarts: number;
  readonly notices: Partial<Record<NoticeKind, number>>;
  /** The recorder closes stdin after the fact: the recording does not tell an end from a death. */
  readonly reason?: RunEndReason;
};

const OPUS = "claude-opus-4-8";
const TURN: RecordedEnd = {
  turns: 1,
  inputs: "done",
  status: "idle",
  cost: 0,
  context: 0,
  window: 1_000_000,
  model: OPUS,
  mode: "default",
  prompts: [],
  tasks: [],
  error: null,
  failedStarts: 0,
  notices: {},
};
/** It ended before it was ready. */
const FAILED: RecordedEnd = {
  ...TURN,
  turns: 0,
  inputs: "cancelled",
  status: "starting",
  window: null,
  model: null,
  error: "process_exit",
  failedStarts: 1,
  reason: "process_exit",
};
/** The API answered with an error, and that was that. */
const API_ERROR: RecordedEnd = { ...TURN, window: null, model: null };

export const RECORDED_ENDS: Readonly<Record<string, RecordedEnd>> = {
  "01-single-turn": { ...TURN, cost: 0.095695, context: 19_080 },
  "02-partial-messages": { ...TURN, cost: 0.22093, context: 21_972 },
  "03-multi-turn": { ...TURN, turns: 3, inputs: "done done done", cost: 0.32889, context: 21_915 },
  "04-tool-allow": {
    ...TURN,
    cost: 0.559465,
    context: 22_393,
    prompts: ["allowed", "allowed", "allowed", "allowed"],
  },
  "05-tool-deny": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 0.330215,
    context: 21_977,
    prompts: ["denied"],
  },
  "07-tool-modified-input": { ...TURN, cost: 0.33093, context: 22_020, prompts: ["allowed"] },
  "08-permission-updates": {
    ...TURN,
    cost: 0.666525,
    context: 22_314,
    mode: "acceptEdits",
    prompts: ["allowed", "allowed", "allowed"],
  },
  "09-interrupt-pending-permission": {
    ...TURN,
    turns: 2,
    inputs: "interrupted done",
    cost: 0.22019,
    context: 22_005,
    prompts: ["withdrawn"],
    notices: { interrupted: 1 },
  },
  "10-interrupt-midstream": {
    ...TURN,
    turns: 2,
    inputs: "interrupted done",
    cost: 0.111145,
    context: 22_180,
    notices: { interrupted: 1 },
  },
  "11-interrupt-running-tool": {
    ...TURN,
    turns: 2,
    inputs: "interrupted done",
    cost: 0.22044,
    context: 22_018,
    notices: { interrupted: 1 },
  },
  // SIGINT ends the turn and the process, with exit code 0.
  "12-sigint-midstream": {
    ...TURN,
    inputs: "interrupted",
    context: 22_121,
    window: null,
    notices: { interrupted: 1 },
    reason: "process_exit",
  },
  "12c-sigint-idle": { ...TURN, cost: 0.109415, context: 21_844, reason: "process_exit" },
  "13-sigterm-midstream": {
    ...TURN,
    turns: 0,
    inputs: "cancelled",
    status: "streaming",
    window: null,
    model: null,
    error: "process_exit",
    failedStarts: 1,
    reason: "process_exit",
  },
  "13c-sighup": {
    ...TURN,
    turns: 0,
    inputs: "cancelled",
    status: "streaming",
    context: 21_856,
    window: null,
    prompts: ["lost"],
    error: "process_exit",
    failedStarts: 1,
    reason: "process_exit",
  },
  "14a-kill9": {
    ...TURN,
    inputs: "done cancelled",
    status: "streaming",
    cost: 0.109595,
    context: 22_176,
    error: "process_exit",
  },
  "14b-resume-after-kill9": { ...TURN, cost: 0.111665, context: 22_284, window: 200_000 },
  "14c-resume-fork": { ...TURN, cost: 0.11181, context: 22_318, window: 200_000 },
  "14d-session-id-in-use": FAILED,
  "15-permission-modes": {
    ...TURN,
    turns: 4,
    inputs: "done done done done",
    cost: 0.9419,
    context: 24_372,
    prompts: ["denied", "denied", "denied"],
    notices: { control_error: 1, permission_denied: 2 },
  },
  "15c-plan-plain": {
    ...TURN,
    cost: 0.234285,
    context: 23_291,
    mode: "plan",
    prompts: ["denied", "denied", "denied"],
  },
  "16-bypass-permissions": {
    ...TURN,
    cost: 0.224825,
    context: 22_240,
    mode: "bypassPermissions",
    prompts: ["denied"],
  },
  "16b-bypass-as-root": FAILED,
  "17-set-model": {
    ...TURN,
    turns: 4,
    inputs: "done done done done",
    cost: 0.353794,
    context: 22_589,
    notices: { local_output: 5 },
  },
  "18-initialize": { ...TURN, cost: 0.219865, context: 21_943, prompts: ["allowed"] },
  "19-session-title": { ...TURN, cost: 0.115515, context: 21_844, notices: { control_error: 1 } },
  "20-control-queries": { ...TURN, cost: 0.219825, context: 21_922, notices: { control_error: 6 } },
  "22-hooks": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 0.220815,
    context: 21_999,
    notices: { unknown_control_request: 6, informational: 1 },
  },
  "24-ask-user-question": {
    ...TURN,
    turns: 4,
    inputs: "done done done done",
    cost: 0.90949,
    context: 22_967,
    prompts: ["allowed", "allowed", "allowed", "denied"],
  },
  "25-exit-plan-mode": {
    ...TURN,
    cost: 0.82613,
    context: 24_020,
    mode: "acceptEdits",
    prompts: ["denied", "allowed"],
  },
  "26-background-bash": {
    ...TURN,
    turns: 3,
    inputs: "done done",
    cost: 0.555025,
    context: 22_308,
    prompts: ["allowed"],
    tasks: ["Count: local_bash completed in background"],
  },
  "28-subagent": {
    ...TURN,
    cost: 0.33876,
    context: 22_078,
    prompts: ["allowed"],
    tasks: ["Count files: local_agent completed"],
    notices: { subagent_prompt: 1 },
  },
  "28c-background-agent": {
    ...TURN,
    turns: 6,
    inputs: "done done done interrupted",
    cost: 1.091265,
    context: 22_832,
    prompts: ["allowed"],
    tasks: [
      "Long: local_bash completed",
      "Bg: local_agent completed in background",
      "Long2: local_bash completed in background",
      "Long3: local_bash stopped",
    ],
    notices: { interrupted: 1 },
  },
  "29-compact": {
    ...TURN,
    turns: 4,
    inputs: "done done done done",
    cost: 0.449635,
    context: 21_041,
    notices: { compacting: 1, compacted: 1, compact_summary: 1, local_output: 1 },
  },
  "30b-local-commands": {
    ...TURN,
    turns: 7,
    inputs: "done done done done done interrupted done",
    cost: 0.221535,
    context: 22_009,
    notices: { compacting: 1, compact_failed: 1, interrupted: 1 },
  },
  "31-image": { ...TURN, turns: 3, inputs: "done done done", cost: 0.441755, context: 22_139 },
  "32-api-401": { ...TURN, turns: 2, inputs: "done done", cost: 0.10952, context: 21_855 },
  "32-api-429": { ...TURN, turns: 2, inputs: "done done", cost: 0.10954, context: 21_859 },
  "32-api-500": { ...TURN, turns: 2, inputs: "done done", cost: 0.10952, context: 21_855 },
  "32-api-529": { ...TURN, turns: 2, inputs: "done done", cost: 0.10952, context: 21_855 },
  "32d-api-unreachable": { ...API_ERROR, error: "server_error" },
  "34-unknown-model": { ...API_ERROR, error: "model_not_found" },
  // Refused before any turn began: what was asked for was not done.
  "35-bad-resume": { ...FAILED, turns: 1, inputs: "interrupted", error: "error_during_execution" },
  "35b-resume-not-a-uuid": {
    ...FAILED,
    turns: 1,
    inputs: "interrupted",
    error: "error_during_execution",
  },
  "36-stdin-not-json": {
    ...TURN,
    cost: 0.0956,
    context: 19_076,
    error: "process_exit",
    reason: "process_exit",
  },
  "36c-stdin-wrong-role": FAILED,
  "37-long-line": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 9.66309,
    context: 305_024,
    mode: "acceptEdits",
    prompts: ["allowed"],
  },
  "38-unicode": { ...TURN, cost: 0.3326, context: 22_128 },
  "39-queue-mid-turn": {
    ...TURN,
    turns: 3,
    inputs: "done done cancelled done done done",
    cost: 0.44221,
    context: 22_130,
  },
  "40-stdin-closed-mid-turn": { ...TURN, cost: 0.1109, context: 21_896 },
  // One-shot without stream-json: text is kept, and means nothing.
  "41-print-text": {
    ...API_ERROR,
    turns: 0,
    inputs: "",
    status: "starting",
    notices: { bad_line: 2 },
  },
  "41b-print-json": { ...API_ERROR, inputs: "", status: "starting", cost: 0.095635 },
  "41c-print-stream-json": { ...TURN, inputs: "", cost: 0.095665, context: 19_079 },
  "41d-stream-json-without-verbose": { ...FAILED, inputs: "" },
  "42-replay-user-messages": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 0.21899,
    context: 21_876,
  },
  "45-not-logged-in": { ...API_ERROR, error: "authentication_failed" },
  "45b-not-logged-in-print": {
    ...API_ERROR,
    turns: 0,
    inputs: "",
    status: "starting",
    notices: { bad_line: 1 },
  },
  "46-no-prompt-tool": { ...TURN, cost: 0.19448, context: 19_347 },
  "47-task-list": { ...TURN, cost: 0.445715, context: 22_248 },
  "48b-cron": { ...TURN, turns: 2, cost: 0.78149, context: 22_446 },
  "49-webfetch": { ...TURN, cost: 0.22029, context: 21_976, prompts: ["allowed"] },
  "51-session-state": { ...TURN, cost: 0.21966, context: 21_923, prompts: ["allowed"] },
  "52-bash-command": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 0.109495,
    context: 21_855,
    notices: { local_output: 2 },
  },
  "53-api-hang": {
    ...TURN,
    inputs: "interrupted",
    context: 21_846,
    window: null,
    notices: { interrupted: 1 },
  },
  "56-hook-settings": { ...TURN, cost: 0.21962, context: 21_915, notices: { hook: 4 } },
  "59-parallel-permissions": {
    ...TURN,
    turns: 2,
    inputs: "done done",
    cost: 0.68151,
    context: 22_498,
    prompts: ["denied", "denied", "denied", "denied", "denied", "denied"],
    tasks: ["Two: local_agent completed", "One: local_agent completed"],
    notices: { subagent_prompt: 2 },
  },
  "61b-steer-interrupt": {
    ...TURN,
    turns: 5,
    inputs: "interrupted done done done done",
    cost: 0.333655,
    context: 22_427,
    notices: { interrupted: 1 },
  },
};
