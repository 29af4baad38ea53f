/**
 * How much of the processor the page's main thread takes for each of its tasks: what a task would
 * last if nothing else ran on the machine.
 */
import type { Page } from "playwright-core";

type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

/** The longest tasks first, in ms. Ends with the call. */
export async function traceTasks(page: Page): Promise<() => Promise<readonly number[]>> {
  const client = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  client.on("Tracing.dataCollected", ({ value }) =>
    events.push(...(value as unknown as readonly TraceEvent[])),
  );
  await client.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] },
    transferMode: "ReportEvents",
  });
  return async () => {
    const complete = new Promise<void>((resolve) => {
      client.once("Tracing.tracingComplete", () => resolve());
    });
    await client.send("Tracing.end");
    await complete;
    await client.detach();
    return tasksOf(events);
  };
}

function tasksOf(events: readonly TraceEvent[]): readonly number[] {
  // The thread on which the page's functions were called.
  const main = events.find((event) => event.name === "FunctionCall");
  return events
    .filter((event) => event.ph === "X" && event.name === "ThreadControllerImpl::RunTask")
    .filter((event) => event.pid === main?.pid && event.tid === main.tid)
    .map((event) => (event.tdur ?? 0) / 1000)
    .toSorted((a, b) => b - a);
}
