import type { SpawnConfig } from "@lodge/protocol";
import { describe, expect, it } from "vitest";
import { claudeArgs } from "./claude-args.ts";

const RESUME_ID = "0b8e3c5e-45a7-4be6-9c1f-0a5f0f5a0001";
const args = (changes: Partial<SpawnConfig> = {}, canBypass = true): string[] =>
  claudeArgs(
    {
      sessionId: "s",
      runId: "r",
      userId: "u",
      cwd: null,
      resumeId: RESUME_ID,
      resume: false,
      model: null,
      effort: null,
      permissionMode: "default",
      trust: false,
      allowBypass: false,
      ...changes,
    },
    { canBypass },
  );

/** The argument after a flag; null: no such flag. */
const valueOf = (list: readonly string[], flag: string): string | null => {
  const index = list.indexOf(flag);
  return index < 0 ? null : (list[index + 1] ?? null);
};

describe("claudeArgs", () => {
  it("begins a transcript under our id, or continues it", () => {
    expect(valueOf(args(), "--session-id")).toBe(RESUME_ID);
    expect(args()).not.toContain("--resume");
    expect(valueOf(args({ resume: true }), "--resume")).toBe(RESUME_ID);
    expect(args({ resume: true })).not.toContain("--session-id");
  });

  it("names mode, model and effort only where they are chosen", () => {
    expect(args()).not.toContain("--model");
    expect(args()).not.toContain("--effort");
    const chosen = args({ model: "claude-opus-4-8[1m]", effort: "max", permissionMode: "plan" });
    expect(valueOf(chosen, "--model")).toBe("claude-opus-4-8[1m]");
    expect(valueOf(chosen, "--effort")).toBe("max");
    expect(valueOf(chosen, "--permission-mode")).toBe("plan");
  });

  it("makes plan mode really ask", () => {
    expect(JSON.parse(valueOf(args(), "--settings") ?? "")).toEqual({
      useAutoModeDuringPlan: false,
    });
  });

  it("lets a directory's own settings and servers act only where it is trusted", () => {
    expect(valueOf(args(), "--setting-sources")).toBe("user");
    expect(args()).toContain("--strict-mcp-config");
    expect(valueOf(args({ trust: true }), "--setting-sources")).toBe("user,project,local");
    expect(args({ trust: true })).not.toContain("--strict-mcp-config");
  });

  it("opens the way to bypass only with the right to it, and never where the CLI would not start", () => {
    const flag = "--allow-dangerously-skip-permissions";
    expect(args()).not.toContain(flag);
    expect(args({ allowBypass: true })).toContain(flag);
    expect(args({ allowBypass: true }, false)).not.toContain(flag);
    expect(() => args({ permissionMode: "bypassPermissions" })).toThrow("not allowed");
    const bypass = { permissionMode: "bypassPermissions", allowBypass: true } as const;
    expect(() => args(bypass, false)).toThrow("as root");
    expect(valueOf(args(bypass), "--permission-mode")).toBe("bypassPermissions");
  });

  it.each(["--dangerously-skip-permissions", "x --add-dir /", "-p", "", "a\nb"])(
    "takes no flag for a model: %j",
    (model) => {
      expect(() => args({ model })).toThrow("not the name of a model");
    },
  );

  it("takes no flag for an id", () => {
    expect(() => args({ resumeId: "--continue" })).toThrow("UUID");
  });
});
