/** Looking into values whose shape is not ours: anything may be missing or of another type. */

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

export const stringOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === "string" ? value : otherwise;
