/**
 * What is true of a stream right now, for people to see.
 *
 *            ┌──────────── first frame ─────────────┐
 *   connecting ── refused, cut, silent ──► waiting ──┤ until its time, or poke()
 *        ▲              │                     │      ▼
 *        │              └─ no network ─► offline    live
 *        └───────────────────────────────────┴───────┘
 *   any ── 401, 404, `closed` frame, close() ──► ended (for good)
 */
export type ConnectionState =
  | { readonly kind: "connecting"; readonly since: number }
  | { readonly kind: "live"; readonly since: number }
  | {
      readonly kind: "waiting";
      readonly until: number;
      readonly attempt: number;
      readonly cause: LossCause;
    }
  | { readonly kind: "offline" }
  | { readonly kind: "ended"; readonly reason: EndReason };

/** Why a stream was lost: no answer, a refusal that may pass, an end nobody announced, silence. */
export type LossCause = "network" | "refused" | "cut" | "silent";
/** Why a stream will not come back by itself. */
export type EndReason = "signed_out" | "session_gone" | "stream_limit" | "refused" | "closed";
