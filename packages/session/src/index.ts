export * from "./event-storage.ts";
