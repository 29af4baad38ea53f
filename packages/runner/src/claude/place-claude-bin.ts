/**
 * Puts the pinned CLI where every account may run it. Where it was installed may lie under a home
 * that others cannot enter. Once per version: it has 234 MB, so a hard link where that is the same
 * thing, else a copy that shares the blocks where the file system can.
 *
 * Owned by root it is not readable, only executable: the kernel then guards its memory and its
 * descriptors from other processes of the account it runs as.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export type PlaceOptions = {
  readonly source: string;
  readonly version: string;
  /** The directory for it, `bin` of the data directory. */
  readonly directory: string;
  readonly isRoot: boolean;
};

export async function placeClaudeBin(options: PlaceOptions): Promise<string> {
  const target = join(options.directory, `claude-${options.version}`);
  const source = await stat(options.source);
  const existing = await stat(target).catch(() => null);
  if (existing !== null && existing.size === source.size) return target;
  await mkdir(options.directory, { recursive: true, mode: 0o755 });
  const draft = join(options.directory, `.claude-${randomUUID()}`);
  try {
    // A link shares its mode with the source: only where the source is not to be made unreadable.
    const isLinked =
      !options.isRoot &&
      (await link(options.source, draft).then(
        () => true,
        () => false,
      ));
    if (!isLinked) {
      await copyFile(options.source, draft, constants.COPYFILE_FICLONE);
      await chmod(draft, options.isRoot ? 0o711 : 0o755);
    }
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  return target;
}
