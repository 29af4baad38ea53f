import { describe, expect, test } from "vitest";
import { Complaint } from "./complaint.ts";
import { environmentFor } from "./environment.ts";
import { type Environment, parseSettings } from "./settings.ts";

const parse = (environment: Environment) => parseSettings(environment, "/home/ada/lodge");

describe("settings", () => {
  test("nothing set: loopback, port 4400, a data directory in the working directory, a database of our own", () => {
    expect(parse({})).toMatchObject({
      host: "127.0.0.1",
      port: 4400,
      publicUrl: undefined,
      dataDir: "/home/ada/lodge/.lodge",
      databaseUrl: undefined,
    });
  });

  test("empty counts as not set", () => {
    expect(parse({ LODGE_PORT: "", DATABASE_URL: " " })).toMatchObject({
      port: 4400,
      databaseUrl: undefined,
    });
  });

  test("a relative file is meant from where the person is", () => {
    const given = { LODGE_RUN_ENV_FILE: "run.env", LODGE_CLAUDE_BIN: "claude" };
    expect(parse(given).environment).toEqual({
      LODGE_RUN_ENV_FILE: "/home/ada/lodge/run.env",
      LODGE_CLAUDE_BIN: "claude",
    });
  });

  test.each([
    [{ LODGE_PORT: "http" }, /LODGE_PORT is "http"/],
    [{ LODGE_PORT: "70000" }, /LODGE_PORT is "70000"/],
    [
      { LODGE_PUBLIC_URL: "lodge.example" },
      /LODGE_PUBLIC_URL is no URL that begins with http:\/\/ or https:\/\//,
    ],
    [{ DATABASE_URL: "mysql://h/d" }, /DATABASE_URL is no URL that begins with postgres:/],
    [{ LODGE_ADMIN_LOGIN: "ada" }, /go together, but LODGE_ADMIN_PASSWORD is not set/],
  ])("%j is refused in a sentence", (environment, sentence) => {
    expect(() => parse(environment)).toThrow(Complaint);
    expect(() => parse(environment)).toThrow(sentence);
  });

  test("a refused DATABASE_URL does not show its password", () => {
    expect(() => parse({ DATABASE_URL: "mysql://ada:hush@h/d" })).not.toThrow(/hush/);
  });
});

describe("the environment of a part", () => {
  const everything = {
    PATH: "/bin",
    NODE_OPTIONS: "--inspect",
    ANTHROPIC_API_KEY: "sk",
    DATABASE_URL: "postgres://",
    CLAUDE_BIN: "/opt/claude",
    LODGE_TOKEN: "mine",
    LODGE_ADMIN_PASSWORD: "hush",
    LODGE_MAX_RUNS: "3",
  };

  test("the api gets the settings, the runner those without the admin, a tool none", () => {
    expect(environmentFor("api", everything)).toEqual({
      PATH: "/bin",
      LODGE_ADMIN_PASSWORD: "hush",
      LODGE_MAX_RUNS: "3",
    });
    expect(environmentFor("runner", everything)).toEqual({
      PATH: "/bin",
      CLAUDE_BIN: "/opt/claude",
      LODGE_MAX_RUNS: "3",
    });
    expect(environmentFor("tool", everything)).toEqual({ PATH: "/bin" });
  });

  test("nothing is inherited", () => {
    expect(Object.getPrototypeOf(environmentFor("api", {}))).toBe(null);
  });
});
