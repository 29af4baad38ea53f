/**
 * The ladder by which a run is ended: asked, told, killed. Each step is bounded, so that the whole
 * takes at most two seconds whatever the run does; a CLI at rest is gone after the first (41 ms).
 */
import { setTimeout as delay } from "node:timers/promises";

export type EndPatience = { readonly askMs: number; readonly terminateMs: number };
export const END_PATIENCE: EndPatience = { askMs: 700, terminateMs: 400 };

export type EndSteps = {
  readonly exited: Promise<unknown>;
  readonly patience: EndPatience;
  /** The CLI's own way out: it writes what it has to write. null: nobody there to be asked. */
  readonly askToEnd: (() => Promise<void>) | null;
  readonly terminate: () => void;
  /** By force, and everything: a command that the CLI ran is in a session of its own. */
  readonly kill: () => Promise<void>;
};

async function isOverWithin(exited: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const isOver = await Promise.race([exited.then(() => true), timeout]);
  timer.abort();
  return isOver;
}

export async function endRun(steps: EndSteps): Promise<void> {
  if (steps.askToEnd !== null) {
    // A journal that cannot be written (a full disk) must not keep a run alive.
    void steps.askToEnd().catch(() => undefined);
    if (await isOverWithin(steps.exited, steps.patience.askMs)) return;
  }
  steps.terminate();
  if (await isOverWithin(steps.exited, steps.patience.terminateMs)) return;
  await steps.kill();
  await steps.exited;
}
