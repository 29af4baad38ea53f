export * from "./event-storage-contract.ts";
export * from "./log-builder.ts";
