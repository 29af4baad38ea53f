import type { SessionEvent } from "./event.ts";
import type { SessionState } from "./state.ts";

export declare const initialState: SessionState;
/** One step of the fold: O(1) in the length of the log. An event already folded (seq ≤ state.seq) changes nothing. */
export declare function applyEvent(state: SessionState, event: SessionEvent): SessionState;
export declare function fold(events: Iterable<SessionEvent>, from?: SessionState): SessionState;
