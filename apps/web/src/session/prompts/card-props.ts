import type { PromptState } from "@lodge/protocol";

/** What every kind of prompt card is given. */
export type CardProps = {
  readonly prompt: PromptState;
  readonly cwd: string | null;
  readonly isArmed: () => boolean;
  /** An answer from this page is on its way. */
  readonly onAnswered: () => void;
};
