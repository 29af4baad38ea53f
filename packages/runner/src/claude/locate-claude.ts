/** Finds the CLI once and keeps to it; one that was missing is looked for again at each run. */
import type { ClaudeBin, FindOptions } from "./find-claude-bin.ts";
import { findClaudeBin } from "./find-claude-bin.ts";
import { placeClaudeBin } from "./place-claude-bin.ts";

export type LocateOptions = FindOptions & {
  readonly binDirectory: string;
  readonly isRoot: boolean;
  readonly onError: (message: string, error: unknown) => void;
};

export function createLocateClaude(options: LocateOptions): () => Promise<ClaudeBin> {
  let located: Promise<ClaudeBin> | null = null;

  async function locate(): Promise<ClaudeBin> {
    const found = await findClaudeBin(options);
    if (found.kind === "missing" || found.pinnedVersion === null) return found;
    try {
      const path = await placeClaudeBin({
        source: found.path,
        version: found.pinnedVersion,
        directory: options.binDirectory,
        isRoot: options.isRoot,
      });
      return { ...found, path };
    } catch (error) {
      // Where it was installed it still runs, as the user that installed it.
      options.onError("the CLI could not be put into the data directory", error);
      return found;
    }
  }

  return async () => {
    located ??= locate();
    const found = await located;
    if (found.kind === "missing") located = null;
    return found;
  };
}
