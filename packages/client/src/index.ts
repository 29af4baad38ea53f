export { ApiError } from "./api-error.ts";
export type { ConnectionState, EndReason, LossCause } from "./connection-state.ts";
export type { Effects } from "./effects.ts";
export type { FrameSource, FrameWatcher, SessionFrame, Watch } from "./frame-source.ts";
export {
  createHttpClient,
  type HistoryPage,
  type HttpClient,
  type SendReceipt,
  type SessionPage,
} from "./http-client.ts";
export type { Outgoing, SendOptions } from "./outbox.ts";
export { createSessionFeed, type SessionFeed } from "./session-feed.ts";
export { createSessionStream } from "./session-stream.ts";
export { createStreamClient, type StreamClient } from "./stream-client.ts";
