import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigError, type Env } from "./env.ts";

/** Resolves with the URL that people on this host use. Throws ConfigError, in one sentence. */
export function listen(server: Server, env: Pick<Env, "host" | "port">): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? "it is in use already"
          : error.code === "EACCES"
            ? "it needs more rights than this process has"
            : error.message;
      reject(new ConfigError(`Cannot listen on ${env.host}:${env.port}: ${why}.`));
    });
    server.listen(env.port, env.host, () => {
      const { port } = server.address() as AddressInfo;
      const name = env.host.includes(":") ? `[${env.host}]` : env.host;
      resolve(`http://${name === "0.0.0.0" || name === "[::]" ? "localhost" : name}:${port}`);
    });
  });
}
