/**
 * What every event does to the status, in every situation. The table is total: a new type or a new
 * situation does not compile until its cells are written.
 */
import { describe, expect, it } from "vitest";
import { deriveStatus } from "./derive.ts";
import { EVENT_TYPES, type EventType, type SessionEvent } from "./event.ts";
import { applyEvent, fold, initialState } from "./fold.ts";
import type { SessionState, SessionStatus } from "./state.ts";
import { buildEvent, numbered } from "./testing/build-event.ts";

type Situation =
  | "none"
  | "starting"
  | "idle"
  | "queued"
  | "sent"
  | "turn"
  | "stoppingTurn"
  | "stoppingRun"
  | "ended";

const STARTED = [buildEvent("run:start"), buildEvent("run:ready")];
const SENT = [...STARTED, buildEvent("input:queued"), buildEvent("input:sent")];
const TURN = [...SENT, buildEvent("turn:start"), buildEvent("input:taken")];

const LOGS: Record<Situation, readonly SessionEvent[]> = {
  none: [],
  starting: [buildEvent("run:start")],
  idle: STARTED,
  queued: [...STARTED, buildEvent("input:queued")],
  sent: SENT,
  turn: TURN,
  stoppingTurn: [...TURN, buildEvent("stop:requested")],
  stoppingRun: [...STARTED, buildEvent("stop:requested", { data: { scope: "run" } })],
  ended: [...TURN, buildEvent("run:end")],
};

type Row = Record<EventType, SessionStatus>;
/** The same status after every type, but for those said. */
const all = (status: SessionStatus): Row => ({
  "run:start": status,
  "run:ready": status,
  "run:end": status,
  "run:error": status,
  "stop:requested": status,
  content: status,
  result: status,
  "turn:start": status,
  "turn:end": status,
  "input:queued": status,
  "input:sent": status,
  "input:taken": status,
  "input:cancelled": status,
  "task:started": status,
  "task:updated": status,
  "task:notification": status,
  "permission:requested": status,
  "permission:resolved": status,
  "config:changed": status,
  limit: status,
  notice: status,
});

const TABLE: Record<Situation, Row> = {
  none: { ...all("idle"), "run:start": "starting" },
  // [S3] a turn cannot be without a process that listens
  starting: {
    ...all("starting"),
    "run:ready": "idle",
    "run:end": "idle",
    "turn:start": "streaming",
  },
  idle: {
    ...all("idle"),
    "run:start": "starting",
    "turn:start": "streaming",
    "input:queued": "streaming",
  },
  // [S6] a stop before anything began holds the queue
  queued: {
    ...all("streaming"),
    "run:start": "starting",
    "run:end": "idle",
    "stop:requested": "idle",
    "input:cancelled": "idle",
  },
  // [I5] a result answers the input sent, echoed or not
  sent: {
    ...all("streaming"),
    "run:start": "starting",
    "run:end": "idle",
    "stop:requested": "stopping",
    "turn:end": "idle",
    "input:cancelled": "idle",
  },
  // [I10] what was taken cannot be withdrawn
  turn: {
    ...all("streaming"),
    "run:start": "starting",
    "run:end": "idle",
    "stop:requested": "stopping",
    "turn:end": "idle",
  },
  stoppingTurn: {
    ...all("stopping"),
    "run:start": "starting",
    "run:end": "idle",
    "turn:end": "idle",
  },
  // [S5] only the end of the run answers its stop
  stoppingRun: { ...all("stopping"), "run:start": "starting", "run:end": "idle" },
  // [S1] whatever a run says after its end
  ended: { ...all("idle"), "run:start": "starting" },
};

const stateIn = (situation: Situation): SessionState => fold(numbered(LOGS[situation]));

describe("status after every event in every situation", () => {
  const situations = Object.keys(TABLE) as Situation[];

  it.each<[Situation, SessionStatus]>([
    ["none", "idle"],
    ["starting", "starting"],
    ["idle", "idle"],
    ["queued", "streaming"],
    ["sent", "streaming"],
    ["turn", "streaming"],
    ["stoppingTurn", "stopping"],
    ["stoppingRun", "stopping"],
    ["ended", "idle"],
  ])("%s is %s", (situation, status) => {
    expect(deriveStatus(stateIn(situation))).toBe(status);
  });

  it.each(situations.flatMap((situation) => EVENT_TYPES.map((type) => [situation, type] as const)))(
    "%s, then %s",
    (situation, type) => {
      const before = stateIn(situation);
      const after = applyEvent(before, { ...buildEvent(type), seq: before.seq + 1 });
      expect(deriveStatus(after)).toBe(TABLE[situation][type]);
      expect(after.seq).toBe(before.seq + 1);
    },
  );

  it("[E4] an event of a type from a later version has its seq and no other effect", () => {
    const later = {
      ...buildEvent("notice"),
      type: "hologram",
      seq: 1,
      at: 0,
    } as unknown as SessionEvent;
    expect(applyEvent(initialState, later)).toEqual({ ...initialState, seq: 1 });
    const odd = { ...later, type: "constructor" } as unknown as SessionEvent;
    expect(applyEvent(initialState, odd)).toEqual({ ...initialState, seq: 1 });
  });
});
