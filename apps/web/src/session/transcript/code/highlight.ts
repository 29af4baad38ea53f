/**
 * Colours of code, made by a worker: reading a grammar takes longer than a frame. The worker and
 * its grammars are loaded when the first code is seen; where there are no workers, code stays plain.
 */
import { trustScript } from "../../../trusted-types.ts";
// oxlint-disable-next-line import/default -- the bundler makes its address the default export
import workerUrl from "./highlight-worker.ts?worker&url";

/** Text and what it is ("" for nothing in particular). */
export type CodePiece = readonly [text: string, kind: string];
export type CodeLine = readonly CodePiece[];
export type HighlightJob = {
  readonly id: number;
  readonly code: string;
  readonly language: string;
};
export type HighlightAnswer = { readonly id: number; readonly lines: readonly CodeLine[] | null };

/** More than this is read as text. */
const MAX_UNITS = 60_000;
const KEEP = 100;
/** A worker that is silent for so long has met a text that its grammar does not get through. */
const PATIENCE_MS = 15_000;
const known = new Map<string, Promise<readonly CodeLine[] | null>>();
const waiting = new Map<number, (lines: readonly CodeLine[] | null) => void>();
let worker: Worker | null | undefined;
let jobs = 0;

/** null: it stays plain. */
export function highlight(code: string, language: string): Promise<readonly CodeLine[] | null> {
  if (code.length > MAX_UNITS || code === "") return Promise.resolve(null);
  const key = `${language}\n${code}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const lines = ask(code, language);
  known.set(key, lines);
  const [oldest] = known.keys();
  if (known.size > KEEP && oldest !== undefined) known.delete(oldest);
  return lines;
}

function ask(code: string, language: string): Promise<readonly CodeLine[] | null> {
  const to = openWorker();
  if (to === null) return Promise.resolve(null);
  jobs += 1;
  const job: HighlightJob = { id: jobs, code, language };
  return new Promise((resolve) => {
    const timer = setTimeout(giveUp, PATIENCE_MS);
    waiting.set(job.id, (lines) => {
      clearTimeout(timer);
      resolve(lines);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page only
    to.postMessage(job);
  });
}

/** What waits stays plain; the next code gets a new worker. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  settleAll();
}

function settleAll(): void {
  for (const resolve of waiting.values()) resolve(null);
  waiting.clear();
}

/** One for the page, for as long as it is open. */
function openWorker(): Worker | null {
  if (worker !== undefined) return worker;
  if (typeof Worker === "undefined") return (worker = null);
  const opened = new Worker(trustScript(workerUrl), { type: "module", name: "highlight" });
  opened.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  // It could not be loaded: nothing is coloured then.
  opened.addEventListener("error", () => {
    worker = null;
    settleAll();
  });
  return (worker = opened);
}
