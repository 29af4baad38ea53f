#!/usr/bin/env node
/**
 * The runner's process. SIGTERM (an upgrade) stops the daemon and leaves the runs; SIGINT (the end
 * of the host) ends them too.
 */
import { readFileSync } from "node:fs";
import { DirectoryTakenError, openDaemon, type Daemon } from "./daemon.ts";
import { createLog } from "./log.ts";
import { parseSettings } from "./settings.ts";
import { closeInherited } from "./spawn/close-inherited.ts";

const environment = process.env;

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

const parsed = parseSettings(environment);
if (parsed.kind === "bad") fail(parsed.problem);

const channel = environment["NODE_CHANNEL_FD"];
closeInherited(channel === undefined ? undefined : Number(channel));

// A log whose reader died must not end the runner.
process.stdout.on("error", () => undefined);
const log = createLog({
  level: parsed.settings.logLevel,
  write: (line) => process.stdout.write(line),
});

const { version } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as { version: string };

const opening = openDaemon({
  settings: parsed.settings,
  host: environment,
  isRoot: process.getuid?.() === 0,
  version,
  log,
});

let isGoing = false;
function goWith(signal: NodeJS.Signals, how: (daemon: Daemon) => Promise<void>): void {
  process.on(signal, () => {
    if (isGoing) return;
    isGoing = true;
    log.info({ signal }, "going");
    opening.then(how).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "could not go in order");
        process.exit(1);
      },
    );
  });
}
goWith("SIGTERM", (daemon) => daemon.stop());
goWith("SIGHUP", (daemon) => daemon.stop());
goWith("SIGINT", (daemon) => daemon.endHost());

try {
  await opening;
} catch (error) {
  if (error instanceof DirectoryTakenError) fail(error.message);
  throw error;
}
