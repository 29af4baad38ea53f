import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { serveRunnerLinks } from "./link-route.ts";
import { RunnerRegistry } from "./runner-registry.ts";

const TOKEN = "a token that only tests use";
let server: ReturnType<typeof createServer>;
let links: ReturnType<typeof serveRunnerLinks>;
let registry: RunnerRegistry;
beforeEach(async () => {
  server = createServer((_request, response) => response.end("an ordinary answer"));
  registry = new RunnerRegistry({
    timers: { now: () => 0, every: () => () => {} },
    unwanted: async () => [],
    report: () => {},
    onChange: () => {},
    onNotice: () => {},
  });
  links = serveRunnerLinks({
    server,
    registry,
    token: TOKEN,
    basePath: "/lodge",
    isReady: () => true,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  links.close();
  server.closeAllConnections();
  server.close();
});

/** The first line that the server says to these bytes. */
function say(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const lines = Object.entries({ Host: "x", Connection: "Upgrade", ...headers });
    socket.write(
      `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    socket.once("data", (chunk: Buffer) => {
      socket.destroy();
      resolve(chunk.toString("latin1"));
    });
    socket.once("error", reject);
  });
}
const WEBSOCKET = {
  Upgrade: "websocket",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};

it("[H5] whatever is asked for, by whomever: an answer, and the server lives on", async () => {
  for (const path of ["//", "//[", "http://[/", "/x/api/runners/link", "/api/runners/link/"])
    expect(await say(path, WEBSOCKET), path).toContain("404");
  expect(await say("/api/runners/link", WEBSOCKET)).toContain("401");
  expect(await say("/api/runners/link", { ...WEBSOCKET, Authorization: "Bearer wrong" })).toContain(
    "401",
  );
});

it("[W1] the token opens the link, also below the house's path", async () => {
  for (const path of ["/api/runners/link", "/lodge/api/runners/link?x=1"])
    expect(await say(path, { ...WEBSOCKET, Authorization: `Bearer ${TOKEN}` })).toContain("101");
});

it("an offer of another protocol is passed over, not refused", async () => {
  expect(await say("/healthz", { Upgrade: "h2c" })).toContain("200 OK");
});
