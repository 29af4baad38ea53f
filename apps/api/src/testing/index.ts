/** What benchmarks and whole-system tests need of the api's insides. Nothing here runs in production. */
export { openPool, type Sql } from "../storage/database.ts";
export { migrate } from "../storage/migrate.ts";
export { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";
export { openStorage, type OpenStorage } from "./open-storage.ts";
