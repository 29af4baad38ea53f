/**
 * `node tools/dist/model-server/main.js [--port N] [--rules FILE] [--demo]`: the scripted model as a process.
 * Prints `listening on <url>` once it accepts connections.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DEMO_RULES } from "./demo-rules.ts";
import { parseRules } from "./rules.ts";
import { startModelServer } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string" }, rules: { type: "string" }, demo: { type: "boolean" } },
});
const server = await startModelServer({
  port: Number(values.port ?? 0),
  rules: values.rules === undefined ? [] : parseRules(readFileSync(values.rules, "utf8")),
  fallback: values.demo === true ? DEMO_RULES : [],
});
process.stdout.write(`listening on ${server.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void server.close().then(() => process.exit(0)));
}
