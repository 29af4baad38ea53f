/** A session engine on the memory store and the double CLI, and ways to wait for what it does. */
import {
  deriveStatus,
  encodeUtf8,
  type Author,
  type EventType,
  type SessionEvent,
} from "@lodge/protocol";
import { MemoryEventStorage } from "../memory-storage.ts";
import { SessionManager, type SessionManagerSettings } from "../session-manager.ts";
import type { SessionRecord } from "../session-record.ts";
import type { Session } from "../session.ts";
import { DoubleCli, echo, init, result, say } from "./double-cli.ts";

let made = 0;
const newId = (): string => `10000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
/** Enough to tell contents apart in a test. */
const hash = (content: string): string => {
  let value = 0;
  for (let i = 0; i < content.length; i++) value = (value * 31 + content.charCodeAt(i)) % 2 ** 47;
  return value.toString(16);
};

export const ANN: Author = { userId: "ann", via: "browser" };
export const BOB: Author = { userId: "bob", via: "browser" };

export class House {
  readonly cli: DoubleCli;
  readonly storage: MemoryEventStorage;
  readonly manager: SessionManager;
  readonly sessionId: string;
  readonly errors: unknown[] = [];
  readonly #settings: Partial<SessionManagerSettings>;
  now = 1_000;
  /** Timers of the engine, fired by hand. */
  readonly timers = new Set<() => void>();
  record: SessionRecord = { userId: "ann", cwd: "/p", runnerId: "local", allowBypass: false };

  constructor(
    settings: Partial<SessionManagerSettings> = {},
    from: { cli: DoubleCli; storage: MemoryEventStorage; sessionId: string } = {
      cli: new DoubleCli(),
      storage: new MemoryEventStorage(),
      sessionId: newId(),
    },
  ) {
    this.#settings = settings;
    this.cli = from.cli;
    this.storage = from.storage;
    this.sessionId = from.sessionId;
    this.manager = new SessionManager(
      {
        storage: this.storage,
        adapter: () => this.cli,
        now: () => this.now,
        newId,
        hash,
        blobBytes: (blob) => encodeUtf8(blob.content),
        toBase64: () => {
          throw new Error("no binary blobs here");
        },
        record: async (id) => (id === this.sessionId ? this.record : null),
        report: (error) => this.errors.push(error),
        after: (_ms, run) => {
          this.timers.add(run);
          return () => this.timers.delete(run);
        },
      },
      { commitDeadlineMs: 1, idleTimeoutMs: 0, maxRuns: 10, evictAfterMs: 60_000, ...settings },
    );
  }

  session(): Promise<Session> {
    return this.manager.open(this.sessionId);
  }

  /** The process is killed: what was not durable is gone, the runs live on. */
  crash(): House {
    return new House(this.#settings, {
      cli: this.cli,
      storage: this.storage.crash(),
      sessionId: this.sessionId,
    });
  }

  events(): Promise<readonly SessionEvent[]> {
    return this.storage.readAfter(this.sessionId, 0, 100_000);
  }
  async types(): Promise<readonly EventType[]> {
    return (await this.events()).map((event) => event.type);
  }
  async status(): Promise<string> {
    return deriveStatus((await this.session()).state);
  }
}

/** Turns of the microtask queue until the condition holds; a test that waits in vain says what for. */
export async function until(what: string, condition: () => unknown): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (await condition()) return;
    await Promise.resolve();
  }
  throw new Error(`waited in vain: ${what}`);
}

const FIRST_INPUT = "00000000-0000-4000-8000-000000000001";

/** A session whose process is up and has taken its first input, in the middle of the turn. */
export async function inTurn(house = new House()) {
  const session = await house.session();
  await session.send({ input: "go", inputId: FIRST_INPUT }, ANN);
  await until(
    "the first input is written",
    () => house.cli.runs.size > 0 && house.cli.last.told.length > 0,
  );
  house.cli.last.print(init(house.cli.last.config.resumeId), echo(FIRST_INPUT));
  await until("the turn is open", () => session.state.turn !== null);
  return { house, session, run: house.cli.last };
}

/** The same, after the turn. */
export async function idle(house = new House()) {
  const all = await inTurn(house);
  all.run.print(say("m1", "done"), result());
  await until("the turn is over", () => all.session.state.turn === null);
  return all;
}
