/** What the session's owner chose when it was made; kept outside the log. */
export type SessionRecord = {
  readonly userId: string;
  readonly cwd: string | null;
  readonly runnerId: string;
  /** The owner may switch permission checks off. */
  readonly allowBypass: boolean;
};
