export {
  asFrame,
  AT,
  buildLog,
  drafts,
  heartbeat,
  PRESENCE,
  RUN,
  serve,
  SESSION,
} from "./build-log.ts";
export { makeFakeSource } from "./fake-source.ts";
export { makeFakeWorld, type FakeRequest, type FakeStream, type FakeWorld } from "./fake-world.ts";
