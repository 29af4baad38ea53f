/** The recordings of the real CLI that the tests run on. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cassette, parseCassette } from "../cassette.ts";

/** The same from `src/testing` and from `dist/testing`. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "cassettes");
const EXTENSION = ".jsonl";

export const cassettePath = (name: string): string => join(FOLDER, `${name}${EXTENSION}`);
export const cassetteNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .toSorted();
/** `name` as in `04-tool-allow`. */
export const loadCassette = (name: string): Cassette =>
  parseCassette(readFileSync(cassettePath(name), "utf8"));
