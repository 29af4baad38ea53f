/** The api's log: JSON lines, control characters escaped by JSON, no values of queries. */
import { pino, stdSerializers, type Logger } from "pino";

export const createLogger = (level: string): Logger =>
  pino({ level, serializers: { err: (error: Error) => withoutValues(stdSerializers.err(error)) } });

/** Drivers quote the values of a failed statement: hashes, titles, what people wrote. [H11] */
export function withoutValues<T>(value: T): T {
  if (typeof value === "string")
    return value.replace(/\s*params: [\s\S]*?(?=\n\s+at |$)/g, "") as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "params" && key !== "parameters");
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutValues(item as unknown)])) as T;
}
