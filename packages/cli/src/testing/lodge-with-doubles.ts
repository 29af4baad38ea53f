/** The `lodge` command with doubles of the api and the runner in the house: what the life-cycle tests start. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lodge } from "../lodge.ts";

const here = dirname(fileURLToPath(import.meta.url));

process.exitCode = await lodge(process.argv[2], {
  environment: process.env,
  cwd: process.cwd(),
  programs: { api: join(here, "fake-api.mjs"), runner: join(here, "fake-runner.mjs"), model: "" },
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  onSignal: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, listener);
  },
});
