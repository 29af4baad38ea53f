/**
 * The table of sessions in memory: opens them from storage, wakes those with work to do after a
 * restart, ends idle runs, lets go of what nobody needs.
 */
import {
  applyEvent,
  hasRunningBackgroundTasks,
  initialState,
  type BlobSource,
  type ProcessAdapter,
  type RunId,
  type SessionId,
  type SessionState,
  type SessionSummary,
} from "@lodge/protocol";
import { EventLog } from "./event-log.ts";
import type { EventStorageAdapter } from "./event-storage.ts";
import { isTurnUnderWay } from "./next-input.ts";
import { Refused } from "./refused.ts";
import type { SessionRecord } from "./session-record.ts";
import { Session } from "./session.ts";

export type SessionManagerEffects = {
  readonly storage: EventStorageAdapter;
  /** Where the session's runs live. */
  readonly adapter: (record: SessionRecord) => ProcessAdapter;
  readonly now: () => number;
  readonly newId: () => string;
  readonly hash: (content: string) => string;
  readonly blobBytes: (blob: BlobSource) => Uint8Array;
  readonly toBase64: (bytes: Uint8Array) => string;
  /** null: there is no such session. */
  readonly record: (sessionId: SessionId) => Promise<SessionRecord | null>;
  readonly report: (error: unknown, what: string) => void;
  readonly after: (ms: number, run: () => void) => () => void;
};

export type SessionManagerSettings = {
  readonly commitDeadlineMs: number;
  /** A run idle this long is ended; 0: never. */
  readonly idleTimeoutMs: number;
  /** At most so many live processes; the longest idle makes room. */
  readonly maxRuns: number;
  /** A session untouched this long, with nothing alive, leaves memory. */
  readonly evictAfterMs: number;
};

const PAGE = 1_000;
/** Twice what ending a run takes at most. */
const ENDING_MS = 4_000;

export class SessionManager {
  readonly #effects: SessionManagerEffects;
  readonly #settings: SessionManagerSettings;
  readonly #sessions = new Map<SessionId, Session>();
  readonly #opening = new Map<SessionId, Promise<Session>>();
  readonly #summaryListeners = new Set<(sessionId: SessionId, summary: SessionSummary) => void>();
  /** Acts under way that may start a run each. */
  #reserved = 0;
  readonly #unsubscribe: () => void;

  constructor(effects: SessionManagerEffects, settings: SessionManagerSettings) {
    this.#effects = effects;
    this.#settings = settings;
    this.#unsubscribe = effects.storage.onDurable((sessionId, batches, replaced) => {
      this.#sessions.get(sessionId)?.log.becameDurable(batches, replaced);
    });
  }

  /** The session, from memory or from storage. Throws Refused("not_found"). */
  async open(sessionId: SessionId): Promise<Session> {
    const here = this.#sessions.get(sessionId);
    if (here) {
      here.touchedAt = this.#effects.now();
      return here;
    }
    const opening = this.#opening.get(sessionId) ?? this.#load(sessionId);
    this.#opening.set(sessionId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  /** The session if it is in memory. */
  peek(sessionId: SessionId): Session | null {
    return this.#sessions.get(sessionId) ?? null;
  }

  /** The session whose present run this is, if it is in memory: it is while the run lives. */
  findByRun(runId: RunId): Session | null {
    for (const session of this.#sessions.values())
      if (session.state.run?.runId === runId) return session;
    return null;
  }

  /**
   * Do something that may start a run, if there is room for one: the longest idle makes room, and is
   * waited for. `session` null: one that is being made. Throws Refused("too_many_requests"). [A13]
   */
  async admitted<T>(session: Session | null, act: () => Promise<T>): Promise<T> {
    if (session?.state.run?.alive) return act();
    this.#reserved++;
    try {
      const alive = [...this.#sessions.values()].filter((other) => other.state.run?.alive);
      if (alive.length + this.#reserved > this.#settings.maxRuns) await this.#makeRoom(alive);
      return await act();
    } finally {
      this.#reserved--;
    }
  }

  async #makeRoom(alive: readonly Session[]): Promise<void> {
    const idle = alive
      .filter((other) => isIdle(other.state))
      .toSorted((a, b) => a.state.at - b.state.at)[0];
    if (!idle)
      throw new Refused(
        "too_many_requests",
        `All ${this.#settings.maxRuns} processes of this installation are busy.`,
      );
    idle.stop("run", null, "idle");
    // A runner that is away ends nothing: whoever waits here is told so by the runner's own limit.
    await new Promise<void>((resolve) => {
      const cancel = this.#effects.after(ENDING_MS, resolve);
      void idle.over().then(() => {
        cancel();
        resolve();
      });
    });
  }

  onSummary(listener: (sessionId: SessionId, summary: SessionSummary) => void): () => void {
    this.#summaryListeners.add(listener);
    return () => {
      this.#summaryListeners.delete(listener);
    };
  }

  /** After a start: take up every session whose log says that something is alive or wanted. */
  async recover(sessionIds: readonly SessionId[]): Promise<void> {
    for (const sessionId of sessionIds) {
      try {
        await this.open(sessionId);
      } catch (error) {
        this.#effects.report(error, `session ${sessionId} could not be taken up`);
      }
    }
  }

  /** What time brings: idle runs end, forgotten sessions leave memory. To be called every few seconds. */
  tick(): void {
    const now = this.#effects.now();
    const { idleTimeoutMs, evictAfterMs } = this.#settings;
    for (const [id, session] of this.#sessions) {
      if (idleTimeoutMs > 0 && session.state.run?.alive && isIdle(session.state)) {
        if (now - Math.max(session.state.at, session.touchedAt) >= idleTimeoutMs)
          session.stop("run", null, "idle");
      } else if (session.evictable && now - session.touchedAt >= evictAfterMs) {
        this.#sessions.delete(id);
      }
    }
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Everything appended so far is durable; nothing is started any more. */
  async close(): Promise<void> {
    await this.#effects.storage.flush();
    this.#unsubscribe();
  }

  async #load(sessionId: SessionId): Promise<Session> {
    const record = await this.#effects.record(sessionId);
    if (!record) throw new Refused("not_found", "There is no such session.");
    const state = await this.#loadState(sessionId);
    const log = new EventLog(sessionId, state, this.#effects);
    log.onSummary = (summary) => {
      for (const listener of this.#summaryListeners) listener(sessionId, summary);
    };
    const session = new Session(record, log, {
      storage: this.#effects.storage,
      adapter: this.#effects.adapter(record),
      now: this.#effects.now,
      newId: this.#effects.newId,
      toBase64: this.#effects.toBase64,
      report: this.#effects.report,
      after: this.#effects.after,
      commitDeadlineMs: this.#settings.commitDeadlineMs,
    });
    this.#sessions.set(sessionId, session);
    session.drive();
    return session;
  }

  /** The memo, and whatever was appended after it. */
  async #loadState(sessionId: SessionId): Promise<SessionState> {
    const { storage } = this.#effects;
    let state = (await storage.readMemo(sessionId)) ?? initialState;
    for (;;) {
      const events = await storage.readAfter(sessionId, state.seq, PAGE);
      for (const event of events) state = applyEvent(state, event);
      if (events.length < PAGE) return state;
    }
  }
}

/** Alive, with nothing under way and nothing expected: its process may be ended. */
function isIdle(state: SessionState): boolean {
  return (
    (state.run?.ready ?? false) &&
    !state.stop &&
    !isTurnUnderWay(state) &&
    state.prompts.length === 0 &&
    state.wakeups.length === 0 &&
    !hasRunningBackgroundTasks(state) &&
    !state.inputs.some((input) => input.phase === "queued" && !state.queueHeld)
  );
}
