/**
 * Tells when files of a directory may have changed: by inotify at once, and once a second in any
 * case, since past 16,384 queued events the kernel drops them silently (reproduced), and since the
 * limit of watches can be reached.
 */
import { watch, type FSWatcher } from "node:fs";

export type WatchOptions = {
  readonly onChange: () => void;
  readonly everyMs?: number;
};

const WITHOUT_INOTIFY_MS = 50;

/** Returns the function that ends it. */
export function watchDirectory(path: string, options: WatchOptions): () => void {
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout;
  const look = (everyMs: number): void => {
    timer = setInterval(options.onChange, everyMs);
    timer.unref();
  };
  look(options.everyMs ?? 1_000);
  const fallBack = (): void => {
    watcher?.close();
    watcher = null;
    clearInterval(timer);
    look(WITHOUT_INOTIFY_MS);
  };
  try {
    watcher = watch(path, { persistent: false }, options.onChange);
    watcher.on("error", fallBack);
  } catch {
    fallBack();
  }
  return () => {
    watcher?.close();
    watcher = null;
    clearInterval(timer);
  };
}
