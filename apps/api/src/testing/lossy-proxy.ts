/** A way to Postgres that can lose an answer: what was asked for is done, and nobody is told. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type LossyProxy = AsyncDisposable & {
  /** The same database, through the proxy. */
  readonly url: string;
  /** Once: cut the connection when what was sent with this in it is answered. */
  loseAnswerTo(marker: string): void;
  readonly lost: () => number;
};

export async function openLossyProxy(target: string): Promise<LossyProxy> {
  const server = new URL(target);
  const sockets = new Set<Socket>();
  let marker: string | null = null;
  let lost = 0;
  const listener = createServer((client) => {
    const upstream = connect(Number(server.port || 5432), server.hostname);
    let losing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (marker !== null && chunk.includes(marker)) {
        marker = null;
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!losing) client.write(chunk);
      // "ReadyForQuery": it is done.
      else if (chunk.includes(Buffer.from([0x5a, 0, 0, 0, 5]))) {
        lost++;
        client.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswerTo(text) {
      marker = text;
    },
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
