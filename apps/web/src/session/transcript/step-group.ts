/** A piece of work: steps that follow on one another without a word in between. */
import { makeVersion } from "./make-version.ts";
import { countStep, NO_STEPS, type StepCounts } from "./grouping.ts";
import type { RowHandle } from "./row-handle.ts";
import type { Row } from "./row.ts";

export class StepGroup {
  readonly key: string;
  #steps: RowHandle[] = [];
  #counts: StepCounts = NO_STEPS;
  #isFollowed = false;
  readonly #version = makeVersion();

  constructor(firstKey: string) {
    this.key = `steps:${firstKey}`;
  }

  /** Tracked, like all that is read here. */
  get steps(): readonly RowHandle[] {
    this.#version.track();
    return this.#steps;
  }
  get counts(): StepCounts {
    this.#version.track();
    return this.#counts;
  }
  /** A message came after it. */
  get isFollowed(): boolean {
    this.#version.track();
    return this.#isFollowed;
  }
  /** One step needs no heading, and thoughts alone are no work. */
  get hasHeading(): boolean {
    return this.steps.length > 1 && this.#counts.calls > 0;
  }

  add(step: RowHandle): void {
    this.#steps.push(step);
    this.count(step.current, 1);
  }
  count(row: Row, by: 1 | -1): void {
    this.#counts = countStep(this.#counts, row, by);
  }
  follow(): void {
    this.#isFollowed = true;
  }
  /** Takes over what another one for the same place has come to. */
  become(other: StepGroup, handleOf: (step: RowHandle) => RowHandle): void {
    this.#steps = other.#steps.map(handleOf);
    this.#counts = other.#counts;
    this.#isFollowed = other.#isFollowed;
  }
  publish(): void {
    this.#version.bump();
  }
}
