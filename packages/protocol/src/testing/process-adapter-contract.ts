/**
 * What holds for every ProcessAdapter, whatever is behind it. Each implementation registers this
 * suite with a factory of its own; rules R1 to R12 of SPEC.md.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { ProcessAdapter, ProcessHandle, ProcessLine, SpawnConfig } from "../process.ts";
import { ProcessGoneError, START } from "../process.ts";
import { decodeUtf8, encodeUtf8 } from "../utf8.ts";
import { cut, exit, print, read, type ScriptStep } from "./script.ts";

export type ProcessFixture = {
  readonly adapter: ProcessAdapter;
  /** Of a run that does not exist yet; its process will follow the script. */
  readonly config: SpawnConfig;
  /** The lines that reached the process's stdin, in order. */
  readonly received: () => Promise<readonly string[]>;
  /**
   * Another adapter on what the first one left, as after a restart of whoever held it. Absent: this
   * kind of adapter forgets.
   */
  readonly reopen?: () => Promise<ProcessAdapter>;
  /** End and remove everything. */
  readonly dispose: () => Promise<void>;
};
export type ProcessFixtureFactory = (script: readonly ScriptStep[]) => Promise<ProcessFixture>;
export type ContractOptions = {
  /** false: the double behind it prints whole lines only. */
  readonly cutsLines?: boolean;
};

/** A stdin line with a key, as every line to a process has one. */
const inputLine = (id: string): string =>
  JSON.stringify({ type: "user", uuid: id, message: { role: "user", content: "é 😀" } });

const textOf = (line: ProcessLine): string => decodeUtf8(line.bytes) ?? "not UTF-8";

/** The next lines of the handle; the reader then goes away. Without a count, all there are. */
async function readLines(
  handle: ProcessHandle,
  count = Number.POSITIVE_INFINITY,
): Promise<ProcessLine[]> {
  const lines: ProcessLine[] = [];
  if (count === 0) return lines;
  for await (const line of handle.lines) {
    lines.push(line);
    if (lines.length >= count) break;
  }
  return lines;
}
const positionOf = ({ line, offset }: ProcessLine) => ({ line, offset });

export function processAdapterContract(
  name: string,
  factory: ProcessFixtureFactory,
  { cutsLines = true }: ContractOptions = {},
): void {
  describe(`process adapter contract: ${name}`, () => {
    let fixture: ProcessFixture | null = null;
    const open = async (...steps: readonly ScriptStep[]): Promise<ProcessFixture> => {
      fixture = await factory(steps);
      return fixture;
    };
    afterEach(async () => {
      await fixture?.dispose();
      fixture = null;
    });

    it("[R1] yields the process's lines in order, numbered from 1, with the byte offset after each", async () => {
      const texts = ["one", "zwei ü 漢 😀", "", '{"three":3}'];
      const { adapter, config } = await open(...print(...texts), exit());
      const handle = await adapter.spawn(config);
      const lines = await readLines(handle);
      expect(lines.map(textOf)).toEqual(texts);
      expect(lines.map((line) => line.line)).toEqual([1, 2, 3, 4]);
      let offset = 0;
      for (const line of lines) {
        offset += line.bytes.byteLength + 1;
        expect(line.offset).toBe(offset);
        expect(line.cut).toBeUndefined();
      }
    });

    it("[R1] yields a line of a megabyte whole", async () => {
      const long = "€".repeat(350_000);
      const { adapter, config } = await open(...print(long, "after"), exit());
      const lines = await readLines(await adapter.spawn(config));
      expect(lines.map(({ bytes }) => bytes.byteLength)).toEqual([encodeUtf8(long).byteLength, 5]);
      expect(lines[0] && textOf(lines[0]) === long).toBe(true);
    });

    it("[R2] spawn of a run that exists adopts it from the beginning and starts nothing", async () => {
      const { adapter, config, received } = await open(
        ...print("a", "b"),
        read(),
        ...print("c"),
        exit(),
      );
      const first = await adapter.spawn(config);
      await readLines(first, 2);
      const second = await adapter.spawn(config);
      expect(second.processId).toBe(first.processId);
      expect(second.runId).toBe(config.runId);
      await second.write(inputLine("i1"));
      expect((await readLines(second)).map(textOf)).toEqual(["a", "b", "c"]);
      expect(await received()).toHaveLength(1);
    });

    it("[R3] adopt at a position yields exactly the lines after it", async () => {
      const { adapter, config } = await open(...print("a", "b", "c", "d"), exit());
      const lines = await readLines(await adapter.spawn(config), 2);
      const [, second] = lines;
      if (!second) throw new Error("two lines were to come");
      const adopted = await adapter.adopt(config.runId, positionOf(second));
      const rest = adopted ? await readLines(adopted) : [];
      expect(rest.map((line) => [line.line, textOf(line)])).toEqual([
        [3, "c"],
        [4, "d"],
      ]);
    });

    it("[R3] lines that were committed stay readable from their position on", async () => {
      const { adapter, config } = await open(...print("a", "b", "c"), exit());
      const handle = await adapter.spawn(config);
      const [first] = await readLines(handle, 1);
      if (!first) throw new Error("a line was to come");
      handle.committed(positionOf(first));
      const adopted = await adapter.adopt(config.runId, positionOf(first));
      expect(adopted && (await readLines(adopted)).map(textOf)).toEqual(["b", "c"]);
    });

    it("[R4] adopt of a run that there is no record of gives null", async () => {
      const { adapter } = await open(exit());
      expect(await adapter.adopt("no-such-run", START)).toBeNull();
    });

    it("[R5] a written line reaches the process, once and whole", async () => {
      const { adapter, config, received } = await open(
        read(),
        ...print("got one"),
        read(),
        ...print("got two"),
      );
      const handle = await adapter.spawn(config);
      const one = await handle.write(inputLine("i1"));
      const two = await handle.write(inputLine("i2"));
      expect([one.duplicate, two.duplicate]).toEqual([false, false]);
      expect(two.journalLine).toBeGreaterThan(one.journalLine);
      expect((await readLines(handle, 2)).map(textOf)).toEqual(["got one", "got two"]);
      expect(await received()).toEqual([inputLine("i1"), inputLine("i2")]);
    });

    it("[R6] a line whose key the journal holds is acknowledged and not written again", async () => {
      const { adapter, config, received } = await open(
        read(),
        ...print("one"),
        read(),
        ...print("two"),
      );
      const handle = await adapter.spawn(config);
      const first = await handle.write(inputLine("i1"));
      const again = await handle.write(inputLine("i1"));
      expect(again).toEqual({ journalLine: first.journalLine, duplicate: true });
      await handle.write(inputLine("i2"));
      await readLines(handle, 2);
      expect(await received()).toEqual([inputLine("i1"), inputLine("i2")]);
    });

    it("[R6] the same key written twice at the same time is written once", async () => {
      const { adapter, config, received } = await open(
        read(),
        ...print("one"),
        read(),
        ...print("two"),
      );
      const handle = await adapter.spawn(config);
      const receipts = await Promise.all([
        handle.write(inputLine("i1")),
        handle.write(inputLine("i1")),
      ]);
      expect(receipts.filter((receipt) => receipt.duplicate)).toHaveLength(1);
      await handle.write(inputLine("i2"));
      await readLines(handle, 2);
      expect(await received()).toEqual([inputLine("i1"), inputLine("i2")]);
    });

    it("[R7] a write to a process that is gone rejects with ProcessGoneError", async () => {
      const { adapter, config } = await open(exit());
      const handle = await adapter.spawn(config);
      await handle.exited;
      await expect(handle.write(inputLine("late"))).rejects.toBeInstanceOf(ProcessGoneError);
    });

    it("[R8] exited says how it ended; then it is not alive, and its lines end", async () => {
      const { adapter, config } = await open(...print("last"), exit(3));
      const handle = await adapter.spawn(config);
      expect(await handle.exited).toMatchObject({ code: 3, signal: null, cause: "exited" });
      expect(handle.alive).toBe(false);
      expect((await readLines(handle)).map(textOf)).toEqual(["last"]);
    });

    it.runIf(cutsLines)(
      "[R9] output that ends inside a line is yielded as a cut line",
      async () => {
        const { adapter, config } = await open(...print("whole"), cut('{"half":'));
        const handle = await adapter.spawn(config);
        const lines = await readLines(handle);
        expect(lines.map((line) => [textOf(line), line.cut])).toEqual([
          ["whole", undefined],
          ['{"half":', true],
        ]);
      },
    );

    it("[R10] end() ends it, any number of times; what it had printed is still read", async () => {
      const { adapter, config } = await open(...print("a", "b"));
      const handle = await adapter.spawn(config);
      await readLines(handle, 2);
      expect(handle.alive).toBe(true);
      await Promise.all([handle.end(), handle.end()]);
      await handle.end();
      expect(handle.alive).toBe(false);
      expect(await handle.exited).toMatchObject({ cause: "stopped" });
      const adopted = await adapter.adopt(config.runId, START);
      expect(adopted && (await readLines(adopted)).map(textOf)).toEqual(["a", "b"]);
    });

    it("[R11] adopt of a run that ended meanwhile yields its remaining lines and its exit", async () => {
      const { adapter, config } = await open(...print("a", "b"), exit(4));
      const handle = await adapter.spawn(config);
      await handle.exited;
      const adopted = await adapter.adopt(config.runId, START);
      if (!adopted) throw new Error("the run was to be found");
      expect((await readLines(adopted)).map(textOf)).toEqual(["a", "b"]);
      expect(await adopted.exited).toMatchObject({ code: 4 });
      await expect(adopted.write(inputLine("late"))).rejects.toBeInstanceOf(ProcessGoneError);
    });

    it("[R12] a released run is forgotten", async () => {
      const { adapter, config } = await open(...print("a"), exit());
      const handle = await adapter.spawn(config);
      await readLines(handle);
      await handle.exited;
      handle.release();
      await expect.poll(() => adapter.adopt(config.runId, START)).toBeNull();
    });

    it("[R3] [R6] after a restart of its holder the run goes on: same process, same lines, same journal", async (context) => {
      const { adapter, config, received, reopen } = await open(
        ...print("a", "b"),
        read(),
        ...print("c"),
        read(),
        ...print("d"),
        exit(5),
      );
      if (!reopen) return context.skip();
      const handle = await adapter.spawn(config);
      const [first] = await readLines(handle, 1);
      await handle.write(inputLine("i1"));
      if (!first) throw new Error("a line was to come");
      const successor = await reopen();
      const adopted = await successor.adopt(config.runId, positionOf(first));
      if (!adopted) throw new Error("the run was to be found");
      expect(adopted.processId).toBe(handle.processId);
      expect((await adopted.write(inputLine("i1"))).duplicate).toBe(true);
      expect((await adopted.write(inputLine("i2"))).duplicate).toBe(false);
      const lines = await readLines(adopted);
      expect(lines.map((line) => [line.line, textOf(line)])).toEqual([
        [2, "b"],
        [3, "c"],
        [4, "d"],
      ]);
      expect(await adopted.exited).toMatchObject({ code: 5 });
      expect(await received()).toEqual([inputLine("i1"), inputLine("i2")]);
    });
  });
}
