/**
 * One part of the house, kept running: started again with growing pauses when it dies, given up only when it never
 * came up at all.
 *
 *   launching ──► running ──died──► pausing ──► launching …
 *       └─ refused (exit code 2), or died three times, before it was ever ready ──► given up
 */
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../complaint.ts";
import { endProcess, type ProcessIdentity, type Rung } from "./identity.ts";
import { lastWords } from "./log-file.ts";
import { describeExit, type Exit, type KeptProcess } from "./spawn.ts";

/** What a part of ours says with it: the settings are wrong, trying again is no use. */
const EXIT_REFUSED = 2;
const CHANCES = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** After this long a death is a new story, with the shortest pause again. */
const SETTLED_MS = 30_000;

export interface PartOptions {
  readonly name: string;
  readonly launch: () => Promise<KeptProcess>;
  readonly ladder: readonly Rung[];
  readonly hurry: AbortSignal;
  readonly say: (line: string) => void;
  /** Told of every process, so that a successor of ours can find it. */
  readonly record: (identity: ProcessIdentity | undefined) => void;
}

export interface Part {
  readonly name: string;
  /** Why it will not be started again: it never came up. */
  gaveUp(): string | undefined;
  current(): KeptProcess | undefined;
  /** From now on its death is an accident, and it is always started again. */
  settle(): void;
  end(): Promise<void>;
}

export function keepRunning({ name, launch, ladder, hurry, say, record }: PartOptions): Part {
  const ending = new AbortController();
  let current: KeptProcess | undefined;
  let isSettled = false;
  let failure: string | undefined;

  const loop = async (): Promise<void> => {
    let deaths = 0;
    let pauseMs = FIRST_PAUSE_MS;
    while (!ending.signal.aborted) {
      const since = performance.now();
      const ended = await live();
      if (ending.signal.aborted) return;
      deaths += 1;
      if (!isSettled && (ended.isRefusal || deaths >= CHANCES)) {
        failure = ended.isRefusal
          ? ended.words
          : `${name} did not come up: ${ended.how}${ended.words && `, ${ended.words}`}`;
        return;
      }
      if (performance.now() - since > SETTLED_MS) pauseMs = FIRST_PAUSE_MS;
      say(`${name} ended (${ended.how}${ended.words && `: ${ended.words}`}); starting it again.`);
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  /** One life, from launch to death. */
  const live = async (): Promise<{ how: string; words: string; isRefusal: boolean }> => {
    let exit: Exit;
    try {
      current = await launch();
      record(current.identity);
      // Asked to end while it was being launched: `end` saw no process, so it is ended here.
      if (ending.signal.aborted) await endProcess(current.identity, ladder, hurry);
      exit = await current.exited;
    } catch (error) {
      return { how: reasonOf(error), words: "", isRefusal: false };
    }
    record(undefined);
    const words = lastWords(current);
    return { how: describeExit(exit), words, isRefusal: exit.code === EXIT_REFUSED };
  };

  const running = loop();
  return {
    name,
    gaveUp: () => failure,
    current: () => current,
    settle: () => {
      isSettled = true;
    },
    end: async () => {
      ending.abort();
      if (current !== undefined) await endProcess(current.identity, ladder, hurry);
      await running;
    },
  };
}
