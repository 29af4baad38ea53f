/** `npm run bench -w @lodge/tools -- <name>`: a benchmark prints what it measured against its budget. */
import { benchIngest } from "./ingest.ts";
import { benchLive } from "./live.ts";
import { benchPage } from "./page.ts";

const benches: Readonly<Record<string, () => Promise<void>>> = {
  ingest: benchIngest,
  live: benchLive,
  page: benchPage,
};

const name = process.argv[2] ?? "";
const bench = benches[name];
if (bench) await bench();
else {
  console.error(`Which benchmark? ${Object.keys(benches).join(", ")}`);
  process.exitCode = 2;
}
