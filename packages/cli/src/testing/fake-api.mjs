/** A double of the api: alive at once, ready when a runner has been there since it started. */
import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { inHome, live } from "./fake-part.mjs";

live("api");
rmSync(inHome("runner-is-there"), { force: true });
createServer((request, response) => {
  response.statusCode =
    request.url === "/readyz" && !existsSync(inHome("runner-is-there")) ? 503 : 200;
  response.end();
}).listen(Number(process.env.LODGE_PORT), process.env.LODGE_HOST);
process.stdout.write("LODGE_SETUP_LINK http://127.0.0.1/setup#secret\n");
