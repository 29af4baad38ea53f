import { describe, expect, it } from "vitest";
import { backOffMs } from "./back-off.ts";

describe("backOffMs", () => {
  it("doubles up to ten seconds, half of it left to chance", () => {
    expect([0, 1, 2, 5, 6, 100].map((attempt) => backOffMs(attempt, 1))).toEqual([
      200, 400, 800, 6_400, 10_000, 10_000,
    ]);
    expect(backOffMs(3, 0)).toBe(800);
  });
});
