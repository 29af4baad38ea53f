/** One row's place on the page: the same object for as long as the row is there, whatever becomes of it. */
import { makeVersion, type Version } from "./make-version.ts";
import type { Row } from "./row.ts";

export class RowHandle {
  readonly key: string;
  #row: Row;
  /** Made when somebody looks: most rows of a long log are never looked at. */
  #version: Version | null = null;

  constructor(row: Row) {
    this.key = row.key;
    this.#row = row;
  }

  /** Tracked. */
  get row(): Row {
    this.#version ??= makeVersion();
    this.#version.track();
    return this.#row;
  }

  /** Not tracked: for whoever is told of changes in another way. */
  get current(): Row {
    return this.#row;
  }

  put(row: Row): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#version?.bump();
  }
}
