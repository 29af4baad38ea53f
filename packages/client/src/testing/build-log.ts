/** Logs and the frames a server makes of them. */
import {
  fold,
  initialState,
  type EventDraft,
  type HeartbeatFrame,
  type Presence,
  type Seq,
  type SessionEvent,
} from "@lodge/protocol";
import type { SessionFrame } from "../frame-source.ts";

export const SESSION = "5e551011-0000-4000-8000-000000000001";
export const RUN = "run-1";
export const AT = 1_700_000_000_000;
export const PRESENCE: Presence = { runnerConnected: true, lastLineAt: AT, storeHealthy: true };
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

/** Numbers drafts from `from` on, one second apart. */
export function buildLog(drafts: readonly EventDraft[], from: Seq = 1): SessionEvent[] {
  return drafts.map((draft, index) => {
    const seq = from + index;
    return { sessionId: SESSION, by: null, at: AT + seq * 1000, ...draft, seq };
  });
}

export const drafts = {
  queued: (inputId: string, text = "hello"): EventDraft => ({
    type: "input:queued",
    source: "person",
    runId: null,
    by: { userId: "u1", via: "browser" },
    data: { inputId, text, contentBlocks: [], deliver: "queue" },
  }),
  sent: (inputId: string): EventDraft => ({
    type: "input:sent",
    source: "runner",
    runId: RUN,
    data: { inputId, source: "user" },
  }),
  runStart: (): EventDraft => ({
    type: "run:start",
    source: "api",
    runId: RUN,
    data: {
      config: {
        cwd: "/home/ada/project",
        resumeId: "r1",
        resume: false,
        model: null,
        effort: null,
        permissionMode: "default",
        trust: false,
      },
    },
  }),
  runEnd: (): EventDraft => ({
    type: "run:end",
    source: "runner",
    runId: RUN,
    data: { reason: "completed", code: 0, signal: null },
  }),
  turnStart: (): EventDraft => ({
    type: "turn:start",
    source: "cli",
    runId: RUN,
    data: { resumeId: "r1", model: "m", permissionMode: "default" },
  }),
  turnEnd: (): EventDraft => ({
    type: "turn:end",
    source: "cli",
    runId: RUN,
    data: {
      subtype: "success",
      isError: false,
      usage: NO_TOKENS,
      durationMs: 1200,
      costUsd: 0.01,
      modelUsage: {},
      numTurns: 1,
      result: "done",
      terminalReason: null,
      apiErrorStatus: null,
      errors: [],
      permissionDenials: 0,
      compact: false,
      origin: null,
    },
  }),
  text: (messageId: string, text: string): EventDraft => ({
    type: "content",
    source: "cli",
    runId: RUN,
    data: {
      messageId,
      blocks: [{ type: "text", text }],
      usage: null,
      model: "m",
      parentToolUseId: null,
    },
  }),
  notice: (text: string): EventDraft => ({
    type: "notice",
    source: "cli",
    runId: RUN,
    data: { kind: "informational", level: "info", text },
  }),
  titled: (title: string): EventDraft => ({
    type: "config:changed",
    source: "person",
    runId: null,
    data: { title },
  }),
};

/** What a server sends to a viewer who holds the log up to `after`. */
export function serve(
  log: readonly SessionEvent[],
  after: Seq,
  limits: { readonly tail: number; readonly replay: number } = { tail: 200, replay: 2000 },
): SessionFrame[] {
  const head = log.length;
  const isUnusable = after > head || (after > 0 && head - after > limits.replay);
  const from = isUnusable || after === 0 ? Math.max(1, head - limits.tail + 1) : after + 1;
  const snapshot: SessionFrame = {
    event: "snapshot",
    id: head,
    data: {
      sessionId: SESSION,
      seq: head,
      state: fold(log, initialState),
      from,
      reset: isUnusable,
      now: AT,
      presence: PRESENCE,
    },
  };
  return [snapshot, ...log.slice(from - 1).map(asFrame)];
}

export const asFrame = (event: SessionEvent): SessionFrame => ({
  event: "session",
  id: event.seq,
  data: event,
});

export const heartbeat = (seq: Seq, facts: Partial<HeartbeatFrame> = {}): SessionFrame => ({
  event: "heartbeat",
  data: { sessionId: SESSION, seq, now: AT, presence: PRESENCE, ...facts },
});
