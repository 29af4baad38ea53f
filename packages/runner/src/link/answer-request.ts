/** What each request of the api does, and its answer. */
import { START, type Position, type ProcessHandle, type RunnerRequest } from "@lodge/protocol";
import { factsOf, type RunHost } from "../runs/run-host.ts";
import { toSpawnConfig } from "../spool/run-spool.ts";

export type Answer = {
  readonly result: unknown;
  /** After the answer, this run's output from here on. */
  readonly follow?: { readonly handle: ProcessHandle; readonly from: Position };
};

export async function answerRequest(request: RunnerRequest, host: RunHost): Promise<Answer> {
  switch (request.method) {
    case "spawn": {
      const handle = await host.spawn(toSpawnConfig(request.config));
      return { result: factsOf(handle), follow: { handle, from: START } };
    }
    case "adopt": {
      const handle = await host.adopt(request.runId, request.position);
      if (handle === null) return { result: null };
      return { result: factsOf(handle), follow: { handle, from: request.position } };
    }
    case "write":
      return { result: await host.write(request.runId, request.line) };
    case "signal":
      host.signal(request.runId, request.signal);
      return { result: null };
    case "end":
      await host.end(request.runId);
      return { result: null };
    case "release":
      await host.release(request.runId);
      return { result: null };
  }
}
