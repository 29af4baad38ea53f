/** Looking into values whose shape is not ours: anything may be missing or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item) => typeof item === "string");
export const textOrNull = (value: unknown): string | null =>
  typeof value === "string" ? value : null;
export const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" ? value : otherwise;
export const numberOrNull = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
export const numberOrZero = (value: unknown): number => numberOrNull(value) ?? 0;
