/**
 * The api's process: settings, the writer's lease, the store, the server, the signals. The only
 * file that touches `process`.
 */
import { getRequestListener } from "@hono/node-server";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { createApp } from "./app.ts";
import { createDeps } from "./create-deps.ts";
import { ConfigError, isLoopback, parseEnv, type Env } from "./env.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { listen } from "./listen.ts";
import { createLogger } from "./ops/logger.ts";
import { serveRunnerLinks } from "./runners/link-route.ts";
import { openDatabase } from "./storage/database.ts";
import { acquireLease } from "./storage/lease.ts";
import { migrate } from "./storage/migrate.ts";
import { PgEventStorage } from "./storage/pg-event-storage.ts";

const CONFIG_ERROR = 2;
const CLOSE_DEADLINE_MS = 5_000;
const webRoot = fileURLToPath(new URL("../../web/dist/site", import.meta.url));

async function main(env: Env): Promise<void> {
  const log = createLogger(env.logLevel);
  if (!isLoopback(env.host) && !env.isolationNoneMeant)
    throw new ConfigError(
      `Refusing to listen on ${env.host}: everybody's sessions would run as one account. Set LODGE_ISOLATION=none if that is meant.`,
    );

  // Answers from the first moment, and truly: alive, not ready.
  let serve: ReturnType<typeof getRequestListener> = getRequestListener((request) =>
    new URL(request.url).pathname === "/healthz"
      ? Response.json({ ok: true })
      : Response.json(
          { error: { code: "store_unavailable", message: "Lodge is starting.", requestId: "" } },
          { status: 503, headers: { "retry-after": "1" } },
        ),
  );
  const server = createServer((request, response) => void serve(request, response));
  // Streams stay open for days; a request itself has to arrive in reasonable time.
  server.requestTimeout = 120_000;
  const ownUrl = await listen(server, env);

  const fatal = (what: string) => () => {
    log.fatal(what);
    process.exit(1);
  };
  const stopping = new AbortController();
  const lease = await acquireLease({
    url: env.databaseUrl,
    holder: `${hostname()}:${process.pid}`,
    prepare: () => migrate(env.databaseUrl),
    onLost: fatal("another api has taken over the log"),
    onWaiting: (holder) => log.warn({ holder }, "another api writes the log: waiting for it to go"),
    signal: stopping.signal,
  }).catch((error: unknown) => {
    throw new ConfigError(
      `PostgreSQL cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  });

  const storage = new PgEventStorage({
    url: env.databaseUrl,
    epoch: lease.epoch,
    onFenced: fatal("another api writes the log now"),
    onTrouble: (trouble) => log.error({ trouble }, "trouble writing the log"),
  });
  storage.onHealth((healthy) =>
    log.warn({ healthy }, healthy ? "the log can be written again" : "the log cannot be written"),
  );
  const house = openDatabase(env.databaseUrl);
  let isWriter = true;
  const { deps, stop } = createDeps({
    env,
    log,
    db: house.db,
    storage,
    webRoot: existsSync(webRoot) ? webRoot : null,
    isWriter: () => isWriter,
  });
  const link = await ensureFirstAdmin(deps, env.publicUrl?.href ?? ownUrl);
  if (link !== null) process.stdout.write(`LODGE_SETUP_LINK ${link}\n`);
  const app = await createApp(deps);
  // Runs first, viewers second: what is shown is already being taken up.
  await deps.manager.recover(await deps.sessions.awake());
  const links = serveRunnerLinks({
    server,
    registry: deps.runners,
    token: env.runnerToken,
    basePath: env.publicUrl?.pathname.replace(/\/$/, "") ?? "",
    isReady: () => isWriter,
  });
  serve = getRequestListener(app.fetch);
  log.info({ url: ownUrl, epoch: lease.epoch }, "the api is up");

  let ending = false;
  const shutDown = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ signal }, "shutting down");
    setTimeout(fatal("shutting down took too long"), CLOSE_DEADLINE_MS).unref();
    stopping.abort();
    isWriter = false;
    links.close();
    stop();
    server.close();
    await deps.manager
      .close()
      .catch((error: unknown) => log.error({ err: error }, "not all of the log was written"));
    await storage.close();
    await house.close();
    await lease.release();
    server.closeAllConnections();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void shutDown(signal));
}

try {
  await main(parseEnv(process.env));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(CONFIG_ERROR);
}
