/** The runner's door for tests: doubles of the CLI, and how to run them. */
import { fileURLToPath } from "node:url";

/** A standalone program that plays the CLI; see its header for what it can be made to do. */
export const DOUBLE_CLAUDE = fileURLToPath(
  new URL("../../testing/double-claude.mjs", import.meta.url),
);

export { CassetteAdapter, type CassetteAdapterOptions } from "../cassette/cassette-adapter.ts";
export { CassetteRecorder, type CassetteRecorderOptions } from "../cassette/cassette-recorder.ts";
export { CassetteRun, type PlayOptions } from "../cassette/cassette-run.ts";
