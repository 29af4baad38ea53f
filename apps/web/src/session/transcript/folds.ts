/**
 * What is open and what is folded, as a person chose it. Kept apart from the elements, which come
 * and go as one scrolls. Where nobody chose, the part does as it thinks best.
 */
import { createContext, useContext } from "solid-js";
import { makeVersion, type Version } from "./make-version.ts";

export class Folds {
  readonly #choices = new Map<string, boolean>();
  /** Of the folds that are on the page. */
  readonly #versions = new Map<string, Version>();

  /** Tracked. */
  isOpen(key: string, byDefault: boolean): boolean {
    let version = this.#versions.get(key);
    if (version === undefined) {
      version = makeVersion();
      this.#versions.set(key, version);
    }
    version.track();
    return this.#choices.get(key) ?? byDefault;
  }

  choose(key: string, isOpen: boolean): void {
    if (this.#choices.get(key) === isOpen) return;
    this.#choices.set(key, isOpen);
    this.#versions.get(key)?.bump();
  }
}

export const FoldsContext = createContext<Folds>();

export function useFolds(): Folds {
  const folds = useContext(FoldsContext);
  if (folds === undefined) throw new Error("used outside of FoldsContext");
  return folds;
}
