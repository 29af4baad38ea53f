/**
 * The page with a session of 50,000 events: how soon it is painted, whether scrolling back through it
 * is smooth, how much of it is on the page, and whether typing lags while 500 events a second come in.
 * A real browser on the whole house; the times are the browser's own.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium, type Browser, type Page } from "playwright-core";
import { post, signIn, startHouse } from "./house.ts";
import { traceTasks } from "./page-trace.ts";

const CLAUDE = fileURLToPath(new URL("page-claude.mjs", import.meta.url));
const WATCH = fileURLToPath(new URL("page-watch.mjs", import.meta.url));
const CHROMIUM = process.env["LODGE_TEST_CHROMIUM"] ?? "/usr/bin/chromium";
const EVENTS = 50_000;
const TURNS = 100;
const OPENINGS = 5;
const SCROLL_SECONDS = 20;
const STREAM = { perSecond: 500, seconds: 15 };
const BUDGET = { paintMs: 1_000, taskMs: 50, keyMs: 50, scriptKb: 90 };

export async function benchPage(): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    console.log(`There is no Chromium at ${CHROMIUM}: nothing was measured.`);
    return;
  }
  const dir = await mkdtemp(join(tmpdir(), "lodge-bench-"));
  const house = await startHouse({ dir, claude: CLAUDE });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
  try {
    const cookie = await signIn(house.url);
    const id = await fill(house.url, cookie);
    // Times on the wall: what else the machine does is in them.
    console.log(`${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
    await load(browser, house.url, cookie, id);
    await paint(browser, house.url, cookie, id);
    await scroll(browser, house.url, cookie, id);
    await type(browser, house.url, cookie, id);
  } finally {
    await browser.close();
    await house.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A session of many turns, through the house itself. */
async function fill(url: string, cookie: string): Promise<string> {
  const { id } = await post<{ id: string }>(url, cookie, "/api/sessions", { title: "A long one" });
  const perTurn = EVENTS / TURNS;
  for (let turn = 1; turn <= TURNS; turn++) {
    await post(url, cookie, `/api/sessions/${id}/send`, { input: `0 ${perTurn}` });
    await until(async () => (await headOf(url, cookie, id)).turns >= turn);
  }
  console.log(`a session of ${(await headOf(url, cookie, id)).seq} events in ${TURNS} turns`);
  return id;
}

let turnsSeen = 0;
let lastSeq = 0;
/** Read from the log's end on, so that filling does not read it over and over. */
async function headOf(url: string, cookie: string, id: string) {
  const response = await fetch(`${url}/api/sessions/${id}/history?limit=20`, {
    headers: { cookie },
  });
  const { events } = (await response.json()) as {
    events: readonly { seq: number; type: string }[];
  };
  for (const event of events)
    if (event.type === "turn:end" && event.seq > lastSeq) {
      turnsSeen += 1;
      lastSeq = event.seq;
    }
  return { seq: events.at(-1)?.seq ?? 0, turns: turnsSeen };
}

/** All script that the page has asked for when it stands still, as it would be sent compressed; what a worker reads apart from it aside. */
async function load(browser: Browser, url: string, cookie: string, id: string): Promise<void> {
  for (const [what, path] of [
    ["the list", "/"],
    ["a session", `/sessions/${id}`],
  ] as const) {
    const page = await newPage(browser, url, cookie);
    const scripts = new Map<string, number>();
    page.on("response", (response) => {
      if (!new URL(response.url()).pathname.endsWith(".js")) return;
      scripts.set(response.url(), 0);
      void response.body().then((body) => scripts.set(response.url(), gzipSync(body).length));
    });
    await page.goto(`${url}${path}`, { waitUntil: "load" });
    await page.waitForTimeout(2_000);
    const isWorker = (name: string) => /highlight-worker|\/(?:typescript|tsx)-/.test(name);
    const sizes = [...scripts].filter(([name]) => !isWorker(name)).map(([, size]) => size);
    const kb = sizes.reduce((sum, size) => sum + size, 0) / 1024;
    report(`script loaded for ${what}, ${sizes.length} files`, kb, BUDGET.scriptKb, "KB");
    await page.context().close();
  }
}

async function paint(browser: Browser, url: string, cookie: string, id: string): Promise<void> {
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    // A context of its own each time: nothing is in any cache.
    const page = await openPage(browser, url, cookie, id);
    times.push((await read(page)).painted);
    await page.context().close();
  }
  const middle = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  report("painted, from navigation, nothing cached (median)", middle, BUDGET.paintMs);
}

async function scroll(browser: Browser, url: string, cookie: string, id: string): Promise<void> {
  const page = await openPage(browser, url, cookie, id);
  await reset(page);
  await page.mouse.move(700, 400);
  const stop = await traceTasks(page);
  const end = Date.now() + SCROLL_SECONDS * 1000;
  while (Date.now() < end) {
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(16);
  }
  const seen = await read(page);
  console.log(
    `scrolled back for ${SCROLL_SECONDS} s: ${seen.height.toLocaleString("en")} px of transcript, ` +
      `at most ${seen.elements} elements on the page, ${seen.tasks.length} tasks over ${BUDGET.taskMs} ms`,
  );
  const [longest = 0] = await stop();
  report("longest task while scrolling, on the clock", Math.max(0, ...seen.tasks), BUDGET.taskMs);
  report("longest task while scrolling, of the processor", longest, BUDGET.taskMs);
  await page.context().close();
}

async function type(browser: Browser, url: string, cookie: string, id: string): Promise<void> {
  const page = await openPage(browser, url, cookie, id);
  const { perSecond, seconds } = STREAM;
  const before = (await headOf(url, cookie, id)).seq;
  await post(url, cookie, `/api/sessions/${id}/send`, {
    input: `${perSecond} ${perSecond * seconds}`,
  });
  await until(async () => (await headOf(url, cookie, id)).seq > before + perSecond);
  await page.getByRole("textbox").last().focus();
  await reset(page);
  const end = Date.now() + (seconds - 4) * 1000;
  while (Date.now() < end) {
    await page.keyboard.press("a");
    await page.waitForTimeout(60);
  }
  const seen = await read(page);
  const after = (await headOf(url, cookie, id)).seq;
  const sorted = seen.keys.toSorted((a, b) => a - b);
  const at = (p: number) => sorted[Math.floor((sorted.length - 1) * p)] ?? 0;
  console.log(
    `typed ${sorted.length} characters while ${after - before} events came in: key to paint ` +
      `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, ${seen.tasks.length} tasks over ${BUDGET.taskMs} ms`,
  );
  report("key to paint, p95", at(0.95), BUDGET.keyMs);
  await page.context().close();
}

function report(what: string, value: number, budget: number, unit = "ms"): void {
  const isKept = value <= budget;
  console.log(
    `${what}: ${value.toFixed(0)} ${unit}, budget ${budget} ${unit}: ${isKept ? "kept" : "MISSED"}`,
  );
  if (!isKept) process.exitCode = 1;
}

/** What `page-watch.mjs` saw. */
type Seen = {
  /** When the end of the transcript was on the screen, in ms since the navigation; 0: not yet. */
  readonly painted: number;
  /** From each key to the paint after it, in ms. */
  readonly keys: number[];
  /** Tasks of 50 ms and more. */
  readonly tasks: number[];
  /** The most there were at once. */
  readonly elements: number;
  readonly height: number;
};
const read = (page: Page): Promise<Seen> => page.evaluate("lodgeBench.read()");
const reset = (page: Page): Promise<void> => page.evaluate("lodgeBench.reset()");

async function newPage(browser: Browser, url: string, cookie: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.addInitScript({ path: WATCH });
  return page;
}

async function openPage(browser: Browser, url: string, cookie: string, id: string): Promise<Page> {
  const page = await newPage(browser, url, cookie);
  await page.goto(`${url}/sessions/${id}`);
  await until(async () => (await read(page)).painted > 0);
  return page;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
