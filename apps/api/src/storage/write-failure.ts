/** What an error of the database means for the writer. */
export type WriteFailure =
  /** Some row of the statement is at fault: it would fail again, and the others would not. */
  | { readonly kind: "data"; readonly code: string; readonly message: string }
  /** The connection or the server: whether the statement was committed is not known. */
  | { readonly kind: "outage"; readonly message: string };

/**
 * Only what is certainly the data's fault is taken for it. A full disk, a missing table or a lost
 * right would fail every row: mistaking one of those for data would poison the whole log.
 */
const DATA_CLASSES = new Set([
  "21", // cardinality violation
  "22", // data exception
  "23", // constraint violation
  "54", // program limit exceeded: nesting, index row size
]);

export function classifyFailure(error: unknown): WriteFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return DATA_CLASSES.has(code.slice(0, 2)) && code.length === 5
    ? { kind: "data", code, message }
    : { kind: "outage", message };
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
