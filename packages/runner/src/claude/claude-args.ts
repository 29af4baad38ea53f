/** The CLI's arguments for a run. Pure: what a config means is decided here and nowhere else. */
import { SpawnError, type SpawnConfig } from "@lodge/protocol";

const STREAM = [
  "-p",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
  "--permission-prompt-tool",
  "stdio",
  "--include-partial-messages",
  "--replay-user-messages",
];

/**
 * Plan mode that was switched to later would let a classifier judge Bash commands instead of asking
 * (seen: `rm -rf` ran without a prompt). Plan mode really asks with this.
 */
const PLAN_REALLY_ASKS = JSON.stringify({ useAutoModeDuringPlan: false });

export type ClaudeArgsOptions = {
  /** false: the CLI refuses bypass, and the possibility of it, and does not start. It does to root. */
  readonly canBypass: boolean;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An alias or a model's full name, as in `opus`, `claude-opus-4-8[1m]`, `us.anthropic.x-v1:0`. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]*$/;

export function claudeArgs(config: SpawnConfig, { canBypass }: ClaudeArgsOptions): string[] {
  // Nothing that came over a wire may become a flag of its own.
  if (!UUID.test(config.resumeId)) throw new SpawnError("bad_config", "The resume id is no UUID.");
  if (config.model !== null && !MODEL.test(config.model)) {
    throw new SpawnError("bad_config", `“${config.model}” is not the name of a model.`);
  }
  const wantsBypass = config.permissionMode === "bypassPermissions";
  if (wantsBypass && !config.allowBypass) {
    throw new SpawnError("bypass_refused", "Bypassing permissions is not allowed for this run.");
  }
  if (wantsBypass && !canBypass) {
    throw new SpawnError(
      "bypass_refused",
      "Claude Code refuses to bypass permissions as root: start the runner as another user.",
    );
  }
  return [
    ...STREAM,
    config.resume ? "--resume" : "--session-id",
    config.resumeId,
    ...(config.model === null ? [] : ["--model", config.model]),
    // As a setting it has no effect in a home that the CLI never saw, and `max` never (both seen).
    ...(config.effort === null ? [] : ["--effort", config.effort]),
    "--permission-mode",
    config.permissionMode,
    "--settings",
    PLAN_REALLY_ASKS,
    // Without a person's trust nothing that lies in the directory may act: its hooks, MCP servers,
    // apiKeyHelper and variables would all run before the first prompt (seen).
    "--setting-sources",
    config.trust ? "user,project,local" : "user",
    ...(config.trust ? [] : ["--strict-mcp-config"]),
    ...(config.allowBypass && canBypass ? ["--allow-dangerously-skip-permissions"] : []),
  ];
}
