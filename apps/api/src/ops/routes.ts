/** Liveness, readiness and metrics: for machines, without a login. */
import { Hono } from "hono";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { AppEnv, Deps } from "../deps.ts";
import { isLoopback } from "../env.ts";

export function opsRoutes(deps: Deps) {
  const app = new Hono<AppEnv>();
  const metrics = createMetrics(deps);

  /** The process answers. */
  app.get("/healthz", (c) => c.json({ ok: true }));

  /** It can do its work: it is the writer, the store is well, a runner is there. */
  app.get("/readyz", (c) => {
    const checks = {
      writer: deps.isWriter(),
      store: deps.storage.healthy,
      runner: deps.runners.list().length > 0,
    };
    const ready = Object.values(checks).every(Boolean);
    return c.json({ ready, checks }, ready ? 200 : 503);
  });

  if (isLoopback(deps.env.host))
    app.get("/metrics", async (c) => {
      c.header("content-type", metrics.contentType);
      return c.body(await metrics.metrics());
    });
  return app;
}

function createMetrics(deps: Deps): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number): void => {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  };
  gauge("lodge_sessions_in_memory", "Sessions held in memory", () => deps.manager.size);
  gauge("lodge_streams_open", "Streams of browsers and tools", () => deps.streams.count);
  gauge("lodge_runners_connected", "Runners connected", () => deps.runners.list().length);
  gauge(
    "lodge_store_backlog_bytes",
    "Log bytes queued and not durable",
    () => deps.storage.backlogBytes,
  );
  gauge("lodge_store_healthy", "1: the log can be written", () => (deps.storage.healthy ? 1 : 0));
  return registry;
}
