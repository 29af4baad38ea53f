/**
 * `npm run screenshots [name …]`: pictures of every page and state, on a desk and on a phone, light and
 * dark, from the real stack with a scripted model. They go to `screenshots/`, which is not kept in git.
 * `npm run screenshots -- --docs`: the few that the README shows, smaller, to `docs/screenshots/`.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { PERSON, startLodge, type RunningLodge } from "./lodge.ts";
import { SCENES, type Scene } from "./scenes.ts";
import { RULES, STORIES, type Story, type StoryName } from "./stories.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CHROMIUM = process.env["LODGE_TEST_CHROMIUM"] ?? "/usr/bin/chromium";
const SIZES = [
  { name: "1280", viewport: { width: 1280, height: 800 }, isPhone: false },
  { name: "390", viewport: { width: 390, height: 844 }, isPhone: true },
] as const;
const THEMES = ["light", "dark"] as const;

if (!existsSync(CHROMIUM)) {
  console.error(`There is no Chromium at ${CHROMIUM}; LODGE_TEST_CHROMIUM says where it is.`);
  process.exit(1);
}
/** What the README shows: at this size, in this theme. */
const DOCS: readonly (readonly [scene: string, size: string, theme: string])[] = [
  ["prompt-command", "1280", "light"],
  ["session", "1280", "dark"],
  ["plan", "390", "light"],
  ["questions", "390", "dark"],
];
const isForDocs = process.argv.includes("--docs");
const OUT = join(ROOT, isForDocs ? "docs/screenshots" : "screenshots");
const wanted = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const isWanted = (name: string, size: string, theme: string): boolean =>
  isForDocs
    ? DOCS.some((doc) => doc[0] === name && doc[1] === size && doc[2] === theme)
    : wanted.length === 0 || wanted.includes(name);
const lodge = await startLodge(RULES);
let browser: Browser | null = null;
try {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  await mkdir(OUT, { recursive: true });
  const sessions = await seed(lodge);
  for (const size of SIZES) {
    for (const theme of THEMES) {
      for (const scene of SCENES) {
        if (!isWanted(scene.name, size.name, theme)) continue;
        const path = join(OUT, `${scene.name}-${size.name}-${theme}.png`);
        await takePicture(browser, { scene, size, theme, path, sessions });
      }
    }
    console.log(`done at ${size.name} px`);
  }
  console.log(`They are in ${OUT}`);
} finally {
  await browser?.close();
  await lodge.close();
}

type Sessions = Readonly<Record<StoryName, string>>;

async function seed({ request }: RunningLodge): Promise<Sessions> {
  const ids: Partial<Record<StoryName, string>> = {};
  const begin = async (body: Record<string, unknown>): Promise<string> =>
    ((await request("POST", "/api/sessions", body)) as { id: string }).id;
  for (const title of ["Tidy up the build", "Shrink the container image"]) {
    const id = await begin({ title });
    await request("PATCH", `/api/sessions/${id}`, { archived: true });
  }
  for (const title of ["Faster tests", "Read the logs of last night", "Name the release"])
    await begin({ title });
  for (const [name, story] of Object.entries(STORIES) as [StoryName, Story][]) {
    const id = await begin({ title: story.title, prompt: story.prompt, ...story.facts });
    ids[name] = id;
    await settle(request, id, name);
  }
  for (const input of ["Then look at the slow query.", "And tell me what is left to do."])
    await request("POST", `/api/sessions/${ids.command}/send`, { input });
  return ids as Sessions;
}

/** Until it waits for a person or is done; a first command that only prepares something is allowed. */
async function settle(
  request: RunningLodge["request"],
  id: string,
  name: StoryName,
): Promise<void> {
  const prepares = name === "talk" || name === "edit" ? 1 : 0;
  let allowed = 0;
  for (let tries = 0; tries < 400; tries++) {
    const session = (await request("GET", `/api/sessions/${id}`)) as {
      needsMe: number;
      status: string;
      head: number;
    };
    if (session.needsMe > 0 && allowed < prepares) {
      const { events } = (await request("GET", `/api/sessions/${id}/history?limit=50`)) as {
        events: readonly { type: string; data: { requestId?: string } }[];
      };
      const asked = events.findLast((event) => event.type === "permission:requested");
      await request("POST", `/api/sessions/${id}/permissions/${asked?.data.requestId}`, {
        behavior: "allow",
      });
      allowed++;
    } else if (session.needsMe > 0 || name === "slow") return;
    else if (session.status === "idle" && session.head > 5) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the session "${name}" comes to no rest`);
}

type Shot = {
  readonly scene: Scene;
  readonly size: (typeof SIZES)[number];
  readonly theme: (typeof THEMES)[number];
  readonly path: string;
  readonly sessions: Sessions;
};

async function takePicture(chrome: Browser, shot: Shot): Promise<void> {
  const { scene, size, theme } = shot;
  const context = await chrome.newContext({
    baseURL: lodge.url,
    viewport: size.viewport,
    colorScheme: theme,
    deviceScaleFactor: isForDocs ? 1 : 2,
    hasTouch: size.isPhone,
    isMobile: size.isPhone,
    reducedMotion: "reduce",
  });
  try {
    if (scene.isSignedOut !== true) {
      await context.request.post("/api/auth/login", {
        data: PERSON,
        headers: { origin: lodge.url },
      });
    }
    const page = await context.newPage();
    const at =
      typeof scene.at === "string" ? scene.at : `/sessions/${shot.sessions[scene.at.story]}`;
    await page.goto(at);
    await page.evaluate("document.fonts.ready");
    await rest(page);
    await scene.act?.(page);
    await rest(page);
    if (scene.isWhole === true) await unroll(page, size.viewport.width);
    // How isolated the machine is that took it is no one else's business.
    const clip = isForDocs ? await clipBanners(page, size.viewport) : null;
    await page.screenshot({
      path: shot.path,
      ...(clip === null ? {} : { clip }),
    });
  } catch (error) {
    console.error(`${scene.name} at ${size.name}, ${theme}: ${String(error)}`);
    process.exitCode = 1;
  } finally {
    await context.close();
  }
}

/** Parts of the page come with files of their own. */
function rest(page: Page): Promise<void> {
  return page.waitForTimeout(700);
}

/** The page without what is said above it, at the size it would have then. */
async function clipBanners(page: Page, size: { readonly width: number; readonly height: number }) {
  const banners = await page.locator(".banners").boundingBox();
  const y = Math.round(banners?.height ?? 0);
  await page.setViewportSize({ width: size.width, height: size.height + y });
  await rest(page);
  return { x: 0, y, ...size };
}

/** As high as all that is in it: the page scrolls in its parts. */
async function unroll(page: Page, width: number): Promise<void> {
  const height = await page.locator("main").evaluate((main) => main.scrollHeight);
  await page.setViewportSize({ width, height: height + 100 });
  await rest(page);
}
