import type { PromptState } from "@lodge/protocol";

/** What every kind of prompt card is given. */
export type CardProps = {
  readonly prompt: PromptState;
  readonly cwd: string | null;
  readonly isArmed: () => boolean;
};
