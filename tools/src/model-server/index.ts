/** The scripted model's door: `startModelServer` for tests, the demo's rules for the curious. */
export type { Rule } from "./rules.ts";
export {
  type ModelServer,
  type ModelServerOptions,
  type RequestSummary,
  startModelServer,
} from "./server.ts";
