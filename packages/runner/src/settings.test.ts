import { describe, expect, it } from "vitest";
import { escapeControls } from "./log.ts";
import { parseSettings } from "./settings.ts";

const LEAST = { LODGE_API_URL: "http://127.0.0.1:4400", LODGE_RUNNER_TOKEN: "t" };

describe("parseSettings", () => {
  it("has a default for all but the api and the token", () => {
    expect(parseSettings({ ...LEAST, LODGE_DATA_DIR: "/data", LODGE_CLAUDE_BIN: "" })).toEqual({
      kind: "ok",
      settings: {
        apiUrl: "http://127.0.0.1:4400",
        token: "t",
        dataDir: "/data",
        claudeBin: undefined,
        runEnvFile: undefined,
        maxRuns: 20,
        runnerId: "local",
        logLevel: "info",
      },
    });
  });

  it.each([
    [{ LODGE_API_URL: undefined }, "LODGE_API_URL is not set."],
    [{ LODGE_RUNNER_TOKEN: "" }, "LODGE_RUNNER_TOKEN is not set."],
    [{ LODGE_API_URL: "ftp://x" }, "LODGE_API_URL is not an http or https address."],
    [{ LODGE_MAX_RUNS: "many" }, "LODGE_MAX_RUNS is not a number."],
    [{ LODGE_MAX_RUNS: "0" }, "LODGE_MAX_RUNS is less than 1."],
    [
      { LODGE_RUNNER_ID: "a b" },
      "LODGE_RUNNER_ID has other characters than letters, digits, . _ -.",
    ],
  ])("says in one sentence what is wrong: %j", (changes, problem) => {
    expect(parseSettings({ ...LEAST, ...changes })).toEqual({ kind: "bad", problem });
  });
});

describe("escapeControls", () => {
  it("leaves a log line nothing that a terminal would obey", () => {
    expect(escapeControls('{"m":"a\u007f\u009b31m\u2028\u202eé😀"}')).toBe(
      '{"m":"a\\u007f\\u009b31m\\u2028\\u202eé😀"}',
    );
  });
});
