#!/usr/bin/env node
/** The `lodge` command. The only file that touches the process itself: arguments, environment, signals, exit code. */
import { PROGRAMS } from "./layout.ts";
import { lodge } from "./lodge.ts";

process.exitCode = await lodge(process.argv[2], {
  environment: process.env,
  cwd: process.cwd(),
  programs: PROGRAMS,
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  onSignal: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, listener);
  },
});
