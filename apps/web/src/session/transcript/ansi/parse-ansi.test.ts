import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOSTILE_TEXTS } from "@lodge/protocol/testing";
import { parseAnsi, PLAIN, stripAnsi } from "./parse-ansi.ts";

const ESC = "\u001b";
const shown = (text: string) =>
  parseAnsi(text).map(({ text: piece, style }) => ({
    piece,
    ...Object.fromEntries(
      Object.entries(style).filter(([name, value]) => value !== PLAIN[name as keyof typeof PLAIN]),
    ),
  }));

describe("colours and weights", () => {
  test.each([
    [`${ESC}[31mred${ESC}[0m plain`, [{ piece: "red", foreground: 1 }, { piece: " plain" }]],
    [`${ESC}[1;4;92mx`, [{ piece: "x", isBold: true, isUnderlined: true, foreground: 10 }]],
    [
      `${ESC}[41;30mx${ESC}[49my`,
      [
        { piece: "x", background: 1, foreground: 0 },
        { piece: "y", foreground: 0 },
      ],
    ],
    [
      `${ESC}[1mx${ESC}[22my${ESC}[mz`,
      [{ piece: "x", isBold: true }, { piece: "y" }, { piece: "z" }],
    ],
    [`${ESC}[7mx`, [{ piece: "x", isInverse: true }]],
  ])("%j", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test("of larger palettes become the nearest of the sixteen", () => {
    expect(shown(`${ESC}[38;5;196mx`)).toEqual([{ piece: "x", foreground: 9 }]);
    expect(shown(`${ESC}[38;2;0;0;250mx`)).toEqual([{ piece: "x", foreground: 4 }]);
    expect(shown(`${ESC}[48;5;255;1mx`)).toEqual([{ piece: "x", background: 7, isBold: true }]);
    expect(shown(`${ESC}[38;5;12mx`)).toEqual([{ piece: "x", foreground: 12 }]);
  });

  test("of private sequences mean nothing", () => {
    expect(shown(`${ESC}[>4;2mx${ESC}[?25lx`)).toEqual([{ piece: "x" }, { piece: "x" }]);
  });
});

describe("everything that is no colour is dropped with what it carries", () => {
  test.each([
    [`${ESC}]8;;http://x.invalid\u0007link${ESC}]8;;\u0007`, "link"],
    [`${ESC}]8;;http://x.invalid${ESC}\\link${ESC}]8;;${ESC}\\`, "link"],
    [`a${ESC}]0;title\u0007b`, "ab"],
    [`a${ESC}]52;c;Y2xpcA==\u0007b`, "ab"],
    [`a${ESC}[2J${ESC}[H${ESC}[10;10Hb`, "ab"],
    [`a${ESC}Pq data${ESC}\\b`, "ab"],
    [`a\u009b31mb\u009d0;t\u009cc`, "abc"],
    [`a${ESC}(B${ESC}=b`, "ab"],
    [`a${ESC}]never ends`, "a"],
    [`a${ESC}[31`, "a"],
    [`a${ESC}`, "a"],
  ])("%j", (text, expected) => {
    expect(stripAnsi(text)).toBe(expected);
  });
});

test("a line written over shows its last writing", () => {
  expect(stripAnsi("10%\r50%\r100%\ndone")).toBe("100%\ndone");
  expect(stripAnsi("windows\r\nlines\r\n")).toBe("windows\nlines\n");
  expect(stripAnsi("ab\b\bcd")).toBe("cd");
  expect(stripAnsi("waiting\r")).toBe("waiting");
});

test("no escape is left of anything, and text without escapes is left alone", () => {
  for (const text of HOSTILE_TEXTS) expect(stripAnsi(text)).not.toMatch(/[\u001b\u009b\u009d\r\b]/);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(stripAnsi(text)).not.toContain(ESC);
      // oxlint-disable-next-line vitest/no-conditional-expect -- most strings are of this kind
      if (!/[\u001b\u0080-\u009f\r\b]/.test(text)) expect(stripAnsi(text)).toBe(text);
    }),
  );
});
