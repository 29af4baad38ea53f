/**
 * Where runners dial in: a WebSocket beside the HTTP routes, for whoever has the runner token.
 */
import { timingSafeEqual } from "node:crypto";
import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createHash } from "node:crypto";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { FRAME_BYTES } from "@lodge/protocol";
import type { RunnerRegistry } from "./runner-registry.ts";

const PATH = "/api/runners/link";

export function serveRunnerLinks(options: {
  readonly server: Server;
  readonly registry: RunnerRegistry;
  readonly token: string;
  /** Where people reach the house below a path; "" at the root. */
  readonly basePath: string;
  /** false: this api is not (yet, any more) the one that runners should talk to. */
  readonly isReady: () => boolean;
}): { close(): void } {
  const { server, registry } = options;
  // A header beside the payload, and stdin lines of any length the other way.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES * 4 });
  const expected = digest(options.token);

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    // Nothing is trusted yet, so nothing here may throw: it would be nobody's to catch.
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (request.headers.upgrade?.toLowerCase() !== "websocket")
      return serve(server, request, socket);
    if (path !== PATH && path !== `${options.basePath}${PATH}`) return refuse(socket, 404);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!timingSafeEqual(digest(token), expected)) return refuse(socket, 401);
    if (!options.isReady()) return refuse(socket, 503);
    sockets.handleUpgrade(request, socket, head, (ws) => connect(ws, registry));
  });

  return {
    close() {
      registry.close();
      for (const ws of sockets.clients) ws.terminate();
      sockets.close();
    },
  };
}

function connect(ws: WebSocket, registry: RunnerRegistry): void {
  const link = registry.accept(ws);
  ws.on("message", (data: RawData, isBinary: boolean) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    if (isBinary) link.receiveBinary(bytes);
    else link.receiveText(bytes.toString("utf8"));
  });
  ws.on("error", (error) => link.lost(error.message));
  ws.on("close", () => link.lost("the connection was closed"));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whoever offers another protocol (h2c, say) gets an answer in this one. */
function serve(server: Server, request: IncomingMessage, socket: Duplex): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.on("finish", () => socket.end());
  server.emit("request", request, response);
}

const REASON = { 401: "Unauthorized", 404: "Not Found", 503: "Service Unavailable" } as const;
function refuse(socket: Duplex, status: keyof typeof REASON): void {
  socket.end(
    `HTTP/1.1 ${status} ${REASON[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
