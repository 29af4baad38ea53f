/**
 * Acts of people on one session: decided one at a time on the log as appended, refused while the
 * store is unwell, answered when what they appended is committed. [A8]
 */
import type { Seq } from "@lodge/protocol";
import type { EventLog } from "./event-log.ts";
import type { EventStorageAdapter } from "./event-storage.ts";
import { Refused } from "./refused.ts";

export type ActEffects = {
  readonly storage: Pick<EventStorageAdapter, "healthy">;
  /** How long an act waits for its commit before it answers `outcome_unknown`. */
  readonly commitDeadlineMs: number;
  readonly after: (ms: number, run: () => void) => () => void;
};

/** What an act answers, and the seq up to which that must be committed first. */
export type Decision<T> = { readonly value: T; readonly seq: Seq };

export class ActQueue {
  readonly #log: Pick<EventLog, "whenDurable">;
  readonly #effects: ActEffects;
  #last: Promise<unknown> = Promise.resolve();

  constructor(log: Pick<EventLog, "whenDurable">, effects: ActEffects) {
    this.#log = log;
    this.#effects = effects;
  }

  /** Throws Refused: `store_unavailable` (nothing was decided), `outcome_unknown`, or what `decide` throws. */
  async run<T>(decide: () => Promise<Decision<T>>): Promise<T> {
    if (!this.#effects.storage.healthy)
      throw new Refused("store_unavailable", "The log cannot be written at the moment.");
    const turn = this.#last.then(decide);
    this.#last = turn.catch(() => undefined);
    const { value, seq } = await turn;
    await this.#committed(seq);
    return value;
  }

  async #committed(seq: Seq): Promise<void> {
    const inTime = await new Promise<boolean>((resolve) => {
      const cancel = this.#effects.after(this.#effects.commitDeadlineMs, () => resolve(false));
      void this.#log.whenDurable(seq).then(() => {
        cancel();
        resolve(true);
      });
    });
    if (!inTime)
      throw new Refused(
        "outcome_unknown",
        "It is not known yet whether this was kept: repeat it with the same id.",
      );
  }
}
