/**
 * The small row that lists are served from: a projection of the fold, written in the same
 * transaction as the events that changed it.
 */
import { deriveActivity, deriveStatus } from "./derive.ts";
import type { Activity, SessionState, SessionStatus } from "./state.ts";

export type SessionSummary = {
  readonly status: SessionStatus;
  readonly processAlive: boolean;
  readonly activity: Activity["kind"];
  readonly title: string | null;
  /** Prompts that wait for a person. */
  readonly needsMe: number;
  readonly head: number;
  readonly lastEventAt: number;
  readonly lastError: string | null;
  readonly costUsd: number;
};

export function summarise(state: SessionState): SessionSummary {
  return {
    status: deriveStatus(state),
    processAlive: state.run?.alive ?? false,
    activity: deriveActivity(state).kind,
    title: state.config.title,
    needsMe: state.prompts.length,
    head: state.seq,
    lastEventAt: state.at,
    lastError: state.lastError?.message ?? null,
    costUsd: state.usage.costUsd,
  };
}
