/** One clear sentence for the person at the terminal. `main.ts` prints it and exits non-zero; no stack is shown. */
export class Complaint extends Error {}

/** Thrown through whatever waits when the person has asked Lodge to end before it was ready. */
export class Interrupted extends Error {}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
