/** Settings, limits, and the few notices that mean something to the state. */
import type { SessionConfig } from "../state.ts";
import { isOfLiveRun, type Step } from "./draft.ts";
import { resetContext } from "./usage.ts";

export const configChanged: Step<"config:changed"> = (draft, event) => {
  const { permissionMode, model, effort, title, trust } = event.data;
  const config: SessionConfig = {
    permissionMode: permissionMode ?? draft.config.permissionMode,
    model: model === undefined ? draft.config.model : model,
    effort: effort === undefined ? draft.config.effort : effort,
    title: title ?? draft.config.title,
    trust: trust ?? draft.config.trust,
  };
  draft.config = config;
  // The CLI's own word needs no telling it.
  if (event.source !== "person") return;
  const { seq } = event;
  draft.configChanges = {
    ...draft.configChanges,
    ...(permissionMode !== undefined && { permissionMode: seq }),
    ...(model !== undefined && { model: seq }),
    ...(effort !== undefined && { effort: seq }),
  };
};

export const limit: Step<"limit"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { kind, status, error, attempt, maxAttempts, endsAt, delayMs } = event.data;
  draft.limit = {
    kind,
    status,
    error,
    attempt,
    maxAttempts,
    since: draft.limit?.kind === kind ? draft.limit.since : event.at,
    endsAt: endsAt ?? (delayMs === undefined ? null : event.at + Math.round(delayMs)),
  };
};

export const notice: Step<"notice"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  switch (event.data.kind) {
    case "compacting":
      draft.compacting = true;
      break;
    case "compacted":
      draft.compacting = false;
      resetContext(draft);
      if (draft.turn !== null) draft.turn = { ...draft.turn, compacted: true };
      break;
    case "compact_failed":
      draft.compacting = false;
      break;
    default:
  }
};
