import { describe, expect, it } from "vitest";
import { CassetteError, encodeCassette, parseCassette, type Cassette } from "./cassette.ts";
import { cassetteNames, loadCassette } from "./testing/load-cassette.ts";
import { print, read, exit, cut, scriptedCassette } from "./testing/script.ts";

describe("cassettes", () => {
  it("[K1] come back as they were written", () => {
    const cassette: Cassette = {
      header: { v: 1, cli: "2.1.197", args: ["-p"], title: "T" },
      entries: [
        { t: 0, ch: "in", line: "{}" },
        { t: 1, ch: "out", line: '{"a":"\u2028"}' },
        { t: 2, ch: "err", text: "two\nlines" },
        { t: 3, ch: "signal", signal: "SIGINT" },
        { t: 3, ch: "note", text: "n" },
        { t: 4, ch: "in", eof: true },
        { t: 5, ch: "exit", code: null, signal: "SIGKILL" },
      ],
    };
    expect(parseCassette(encodeCassette(cassette))).toEqual(cassette);
  });

  it.each(["", "x", "{}", '{"v":2}', '{"v":1}\nx', '{"v":1}\n{"ch":"what"}', '{"v":1}\n[]'])(
    "[K1] %j is none",
    (text) => {
      expect(() => parseCassette(text)).toThrow(CassetteError);
    },
  );

  it("[K2] every recording ends with its exit, and times only grow", () => {
    for (const name of cassetteNames()) {
      const { entries, header } = loadCassette(name);
      expect([name, header.scenario, entries.at(-1)?.ch]).toEqual([name, name, "exit"]);
      expect(entries.every((entry, i) => i === 0 || entry.t >= (entries[i - 1]?.t ?? 0))).toBe(
        true,
      );
    }
  });

  it("[K3] a script can be one, but for half lines", () => {
    expect(
      scriptedCassette([...print("a"), read(), exit(2)]).entries.map((entry) => entry.ch),
    ).toEqual(["out", "in", "exit"]);
    expect(() => scriptedCassette([cut("x")])).toThrow("whole lines");
  });
});
