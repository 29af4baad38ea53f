import { describe, expect, it } from "vitest";
import { runEnvironment } from "./environment.ts";
import { parseRunEnvFile } from "./run-env-file.ts";

describe("runEnvironment", () => {
  it("lets through what is listed and nothing else", () => {
    const host = {
      HOME: "/home/ann",
      PATH: "/bin",
      TZ: "Europe/Berlin",
      LODGE_RUNNER_TOKEN: "secret",
      DATABASE_URL: "postgres://secret",
      NODE_OPTIONS: "--require /tmp/x.js",
      VSCODE_INSPECTOR_OPTIONS: "{}",
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      ANTHROPIC_API_KEY: "of the daemon's user",
      LD_PRELOAD: "/tmp/x.so",
      "BASH_FUNC_ls%%": "() { evil; }",
    };
    expect(runEnvironment({ host, runVariables: {} })).toEqual({
      HOME: "/home/ann",
      PATH: "/bin",
      TZ: "Europe/Berlin",
      SHELL: "/bin/sh",
      LANG: "C.UTF-8",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    });
  });

  it("inherits nothing that was planted on prototypes", () => {
    expect(Object.getPrototypeOf(runEnvironment({ host: {}, runVariables: {} }))).toBeNull();
  });

  it.each(["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])(
    "keeps requests where the host sends them when it gives %s",
    (name) => {
      const environment = runEnvironment({ host: {}, runVariables: { [name]: "x" } });
      expect(environment).toMatchObject({ [name]: "x", CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: "1" });
    },
  );
});

describe("parseRunEnvFile", () => {
  it("reads assignments, comments, quotes and export", () => {
    const text = [
      "# the gateway",
      "",
      "ANTHROPIC_BASE_URL=http://gateway:8080/?a=b#c",
      "export ANTHROPIC_API_KEY='sk with spaces'",
      '  HTTPS_PROXY = "http://proxy"  ',
      "EMPTY=\r",
      "NOT_EXPANDED=$HOME",
    ].join("\n");
    expect(parseRunEnvFile(text)).toEqual({
      variables: {
        ANTHROPIC_BASE_URL: "http://gateway:8080/?a=b#c",
        ANTHROPIC_API_KEY: "sk with spaces",
        HTTPS_PROXY: "http://proxy",
        EMPTY: "",
        NOT_EXPANDED: "$HOME",
      },
      refused: [],
    });
  });

  it.each([
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "NODE_OPTIONS",
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_ls",
    "PYTHONSTARTUP",
    "LODGE_RUN_ID",
    "LODGE_RUNNER_TOKEN",
    "CLAUDECODE",
    "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB",
  ])("refuses %s", (name) => {
    expect(parseRunEnvFile(`${name}=1`)).toEqual({ variables: {}, refused: [name] });
  });

  it("does not repeat a line that is no assignment: it may be a secret", () => {
    const { refused } = parseRunEnvFile("FINE=1\nsk-ant-secret\nBASH_FUNC_x%%=() { :; }\n=x");
    expect(refused).toEqual(["line 2", "line 3", "line 4"]);
  });

  it("keeps nothing of a prototype", () => {
    expect(parseRunEnvFile("__proto__=x").variables["__proto__"]).toBe("x");
    expect(parseRunEnvFile("").variables["toString"]).toBeUndefined();
  });
});
