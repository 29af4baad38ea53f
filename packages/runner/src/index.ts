/** The one door of the runner: its adapters, for whoever owns processes in the same program. */
export { ClaudeCliAdapter, type ClaudeCliAdapterOptions } from "./claude/claude-cli-adapter.ts";
export {
  ClaudeInteractiveAdapter,
  type ClaudeAdapterOptions,
} from "./claude/claude-interactive-adapter.ts";
export { findClaudeBin, type ClaudeBin, type FindOptions } from "./claude/find-claude-bin.ts";
