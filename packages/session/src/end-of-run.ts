/**
 * What the log has to say when the process of a run is gone: which inputs and prompts went with it,
 * and why. [A6] [I7] [P6]
 */
import type { EventDraft, ProcessExit, RunEndReason, RunId, SessionState } from "@lodge/protocol";

export function endOfRun(state: SessionState, runId: RunId, exit: ProcessExit): EventDraft[] {
  const here = { runId, source: "runner" } as const;
  const drafts: EventDraft[] = [];
  if (exit.stderr.trim() !== "" && isFailure(exit))
    drafts.push({
      ...here,
      type: "notice",
      data: { kind: "stderr", level: "warning", text: exit.stderr },
    });
  for (const prompt of state.prompts)
    drafts.push({
      ...here,
      type: "permission:resolved",
      inferred: true,
      data: { requestId: prompt.requestId, outcome: "lost", answer: null },
    });
  for (const input of state.inputs)
    if (input.phase === "sent" && input.runId === runId)
      drafts.push({
        ...here,
        type: "input:cancelled",
        inferred: true,
        data: { inputId: input.inputId, reason: "lost" },
      });
  const reason = reasonOf(state, exit);
  const message = messageOf(reason, exit);
  drafts.push({
    ...here,
    type: "run:end",
    data: {
      reason,
      code: exit.code,
      signal: exit.signal,
      ...(message === null ? {} : { message }),
    },
  });
  return drafts;
}

const isFailure = (exit: ProcessExit): boolean =>
  exit.cause === "exited" && (exit.code !== 0 || exit.signal !== null);

function reasonOf(state: SessionState, exit: ProcessExit): RunEndReason {
  if (exit.cause === "host") return "server_restart";
  if (exit.cause === "unknown") return "error";
  if (state.stop?.scope === "run") return state.stop.reason === "idle" ? "idle_timeout" : "stopped";
  if (exit.cause === "stopped") return "stopped";
  // SIGINT ends the CLI with code 0 after it has closed the turn (measured).
  // With an input in its hands it did not: that one went with it.
  const isHandedOver = state.inputs.some((input) => input.phase === "sent");
  if (exit.code === 0 && state.turn === null && state.run?.initSeen && !isHandedOver)
    return "completed";
  return "process_exit";
}

function messageOf(reason: RunEndReason, exit: ProcessExit): string | null {
  if (exit.cause === "unknown") return "The runner has no record of this run.";
  if (reason !== "process_exit") return null;
  const last = exit.stderr.trim().split("\n").at(-1)?.trim() ?? "";
  // The CLI's own crash dumps are minified source: of no use to a person.
  if (last !== "" && last.length <= 300) return last;
  return exit.signal
    ? `The process was ended by ${exit.signal}.`
    : `The process exited with code ${exit.code ?? "unknown"}.`;
}
