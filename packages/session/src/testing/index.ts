export * from "./event-storage-contract.ts";
export * from "./double-cli.ts";
export * from "./house.ts";
export * from "./log-builder.ts";
export type { StorageHarness } from "./storage-stage.ts";
