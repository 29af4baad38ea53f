/** The one user of the WebSocket library: dials the api, and proves who we are. */
import WebSocket from "ws";
import type { SocketEvents } from "./link.ts";

const HANDSHAKE_MS = 10_000;
/** An input may carry images. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export type DialOptions = {
  /** http or https, where the api is reached. */
  readonly apiUrl: string;
  readonly token: string;
};

export function linkUrl(apiUrl: string): string {
  const url = new URL(apiUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.pathname = `${url.pathname.replace(/\/$/, "")}/api/runners/link`;
  return url.href;
}

export function dial(options: DialOptions, events: SocketEvents): { abort: () => void } {
  const socket = new WebSocket(linkUrl(options.apiUrl), {
    headers: { authorization: `Bearer ${options.token}` },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    // Lines are short-lived and on a fast network mostly: not worth a compressor's memory per runner.
    perMessageDeflate: false,
  });
  let failure = "";
  socket.on("error", (error) => {
    failure ||= error.message;
  });
  socket.on("unexpected-response", (_request, response) => {
    failure =
      response.statusCode === 401
        ? "the api does not accept the runner's token"
        : `the api answered ${response.statusCode}`;
    // With a listener for this event the library leaves it to us to give up.
    socket.terminate();
  });
  socket.on("open", () => {
    events.onOpen({
      send: (data, onSent) => socket.send(data, onSent),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
      bufferedAmount: () => socket.bufferedAmount,
    });
  });
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) events.onBinary();
    else events.onText(data.toString());
  });
  socket.on("close", (code, reason) => {
    events.onClose(code, failure || reason.toString() || `closed with code ${code}`);
  });
  return { abort: () => socket.terminate() };
}
