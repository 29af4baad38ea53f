/**
 * The way of a line through the whole house: written by the process, in the log, seen by a viewer.
 * First many sessions with a viewer each, then one session with a thousand viewers. Clocks are one
 * machine's; the viewers' own cost is in the figures.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { post, signIn, startHouse } from "./house.ts";

const CLAUDE = fileURLToPath(new URL("chatty-claude.mjs", import.meta.url));
const SESSIONS = 50;
const PER_SECOND_IN_ALL = 200;
const SECONDS = 15;
const VIEWERS = 1_000;

export async function benchLive(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "lodge-bench-"));
  const house = await startHouse({
    dir,
    claude: CLAUDE,
    env: {
      LODGE_MAX_RUNS: String(SESSIONS + 5),
      LODGE_MAX_STREAMS: String(VIEWERS + SESSIONS + 5),
    },
  });
  try {
    const cookie = await signIn(house.url);
    await manySessions(house.url, cookie);
    await manyViewers(house.url, cookie, dir);
  } finally {
    await house.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function manySessions(url: string, cookie: string): Promise<void> {
  const rate = PER_SECOND_IN_ALL / SESSIONS;
  const ids: string[] = [];
  // One after the other: starting fifty processes is not what is measured.
  for (let i = 0; i < SESSIONS; i++) {
    const { id } = await post<{ id: string }>(url, cookie, "/api/sessions", {});
    await post(url, cookie, `/api/sessions/${id}/start`, {});
    ids.push(id);
  }
  const viewers = await Promise.all(ids.map((id) => follow(url, cookie, id)));
  await Promise.all(
    ids.map((id) =>
      post(url, cookie, `/api/sessions/${id}/send`, { input: `${rate} ${rate * SECONDS}` }),
    ),
  );
  await Promise.all(viewers.map((viewer) => viewer.over));
  const delays = viewers.flatMap((viewer) => viewer.delays);
  console.log(
    `${SESSIONS} sessions, ${PER_SECOND_IN_ALL} events/s together, a viewer each, ${delays.length} events: ` +
      `${percentiles(delays)} (budget p50 ≤ 5 ms, p99 ≤ 25 ms)`,
  );
  for (const viewer of viewers) viewer.close();
}

async function manyViewers(url: string, cookie: string, dir: string): Promise<void> {
  const { id } = await post<{ id: string }>(url, cookie, "/api/sessions", {});
  await post(url, cookie, `/api/sessions/${id}/start`, {});
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => follow(url, cookie, id)));
  await post(url, cookie, `/api/sessions/${id}/send`, { input: "5 50" });
  await Promise.all(viewers.map((viewer) => viewer.over));
  const processes = JSON.parse(await readFile(join(dir, "processes.json"), "utf8")) as {
    api: { pid: number };
  };
  const status = await readFile(`/proc/${processes.api.pid}/status`, "utf8");
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  console.log(
    `${VIEWERS} viewers of one session, 5 events/s: ${percentiles(viewers.flatMap((viewer) => viewer.delays))} ` +
      `(budget p99 ≤ 50 ms), api ${rss.toFixed(0)} MB (budget 300 MB)`,
  );
  for (const viewer of viewers) viewer.close();
}

type Viewer = { readonly delays: number[]; readonly over: Promise<void>; close(): void };

/** Reads no more of each frame than the time that the process wrote into it. */
function follow(url: string, cookie: string, id: string): Promise<Viewer> {
  return new Promise((resolve, reject) => {
    const delays: number[] = [];
    let end = (): void => {};
    const over = new Promise<void>((done) => {
      end = done;
    });
    const calling = request(
      `${url}/api/sessions/${id}/events?after=0`,
      { headers: { cookie } },
      (response: IncomingMessage) => {
        if (response.statusCode !== 200) {
          reject(new Error(`the stream answered ${response.statusCode}`));
          return;
        }
        let rest = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const now = performance.timeOrigin + performance.now();
          const frames = (rest + chunk).split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) {
            const at = /"text":"(\d+\.?\d*) x/.exec(frame)?.[1];
            if (at !== undefined) delays.push(now - Number(at));
            if (frame.includes('"type":"turn:end"')) end();
          }
        });
        resolve({ delays, over, close: () => calling.destroy() });
      },
    );
    calling.on("error", () => end());
    calling.end();
  });
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (p: number): string =>
    `${(sorted[Math.floor((sorted.length - 1) * p)] ?? 0).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)}`;
}
