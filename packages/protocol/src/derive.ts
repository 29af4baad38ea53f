/** Values computed from a log, or from the state it folded to. */
import type { SessionEvent } from "./event.ts";
import type { Activity, SessionState, SessionStatus } from "./state.ts";

/** A log, or what it folded to: every derive function takes either. */
export type Log = SessionState | Iterable<SessionEvent>;

export declare function deriveStatus(log: Log): SessionStatus;
export declare function deriveActivity(log: Log): Activity;
