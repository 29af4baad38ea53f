/** What the storage port's contract is tested with. */
import type { RunId, SessionEvent, SessionId, SessionSummary } from "@lodge/protocol";
import { expect } from "vitest";
import type { EventStorageAdapter, RawLine } from "../event-storage.ts";

export type StorageHarness = {
  readonly storage: EventStorageAdapter;
  /** A session the store knows of, so that it keeps its summary. */
  createSession(): Promise<SessionId>;
  readSummary(sessionId: SessionId): Promise<SessionSummary | null>;
  /** As if the stored memo were of that version of the fold. */
  setMemoVersion(sessionId: SessionId, version: number): Promise<void>;
  /** The process ends, another begins: what it finds. */
  reopen(): Promise<EventStorageAdapter>;
  close(): Promise<void>;
};

export const seqs = (events: readonly SessionEvent[]): number[] => events.map((event) => event.seq);

export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

export const poisoned = (event: SessionEvent): boolean =>
  event.type === "notice" && event.data.kind === "poison";

export async function rawOf(storage: EventStorageAdapter, runId: RunId): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  for await (const line of storage.readRaw(runId)) lines.push(line);
  return lines;
}

/** Without regard for which kind of byte array it is. */
export const comparable = (line: RawLine): RawLine => ({
  ...line,
  bytes: expect.toSatisfy((bytes: Uint8Array) => sameBytes(bytes, line.bytes)) as Uint8Array,
});

export function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  if (a === undefined || a.length !== b.length) return false;
  // A plain loop: there are lines of 8 MiB.
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
