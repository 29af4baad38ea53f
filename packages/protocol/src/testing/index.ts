export * from "./arbitrary-log.ts";
export * from "./build-event.ts";
export * from "./hostile-texts.ts";
export * from "./load-cassette.ts";
export * from "./process-adapter-contract.ts";
export * from "./script.ts";
export * from "./scripted-adapter.ts";
export * from "./replay-cassette.ts";
