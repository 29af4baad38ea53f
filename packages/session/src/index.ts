export * from "./event-log.ts";
export * from "./event-storage.ts";
export * from "./memory-storage.ts";
export * from "./poison.ts";
export * from "./refused.ts";
export * from "./session-manager.ts";
export * from "./session-record.ts";
export * from "./session.ts";
