/** The whole path as a person walks it: a real browser, the real page, the real CLI. */
import type { Browser as Chromium, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoSeriousFaults } from "./axe.ts";
import { describeBrowser, openChromium } from "./chromium.ts";
import { ADMIN, House, waitFor } from "./house.ts";

const SIZES = [
  { name: "a desktop", viewport: { width: 1280, height: 800 }, colorScheme: "light" as const },
  { name: "a phone", viewport: { width: 390, height: 844 }, colorScheme: "dark" as const },
];

describeBrowser("the page", () => {
  let house: House;
  let chromium: Chromium;
  beforeAll(async () => {
    [house, chromium] = await Promise.all([House.start(), openChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await house[Symbol.asyncDispose]();
  });

  it.each(SIZES)(
    "[V1] sign in, begin, watch, answer, stop, go on, on $name",
    async ({ viewport, colorScheme }) => {
      const context = await chromium.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const troubles = await watchForTroubles(page);

      await page.goto(house.url);
      await expectNoSeriousFaults(page);
      await page.getByLabel("Login").fill(ADMIN.login);
      await page.getByLabel("Password").fill("not the password");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: /wrong/i }).waitFor();
      await page.getByLabel("Password").fill(ADMIN.password);
      await page.keyboard.press("Enter");

      await page.getByText("New session").first().click();
      const script = JSON.stringify({ command: "mkfifo pipe", description: "Make a pipe" });
      await page
        .getByLabel("What should Claude do?")
        .fill(`@text Looking.\n@tool Bash ${script}\n@then\n@text It is made.`);
      await expectNoSeriousFaults(page);
      await page.getByRole("button", { name: "Begin" }).click();

      // A prompt: shown whole, answered by a click and by nothing else.
      const card = page.getByRole("group", { name: "Allow Bash?" });
      await card.getByText("mkfifo pipe", { exact: true }).waitFor();
      await expectNoSeriousFaults(page);
      await page.keyboard.press("Enter");
      expect(await card.isVisible()).toBe(true);
      // A card that has just moved ignores presses: a person would press again.
      await waitFor("the answer", async () => {
        if (!(await card.isVisible())) return true;
        await card
          .getByRole("button", { name: "Allow once" })
          .click({ timeout: 1_000 })
          .catch(() => undefined);
        return false;
      });
      await page.getByText("It is made.", { exact: true }).waitFor();

      // A slow turn: seen as it is written, stopped, and the session goes on.
      const composer = page.getByLabel("Message to Claude");
      await composer.fill(`@slow 60\n@text ${"word ".repeat(300)}`);
      await composer.press("Enter");
      await page
        .getByText(/word word word/)
        .last()
        .waitFor();
      await page.getByRole("button", { name: /^Stop/ }).first().click();
      await page
        .getByText(/interrupted|stopped/i)
        .first()
        .waitFor();
      await composer.fill("@text Still here.");
      await composer.press("Enter");
      await page.getByText("Still here.", { exact: true }).waitFor();

      // Nothing of it is the tab's: a reload shows the same.
      await page.reload();
      await page.getByText("Still here.", { exact: true }).waitFor();
      await scrollUpTo(page, "It is made.");
      await expectNoSeriousFaults(page);
      expect(troubles).toEqual([]);
      await context.close();
    },
  );

  it("[V2] what the model says is text: nothing of it runs or is fetched", async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    await signIn(page, house.url);
    const troubles = await watchForTroubles(page);
    const hostile = [
      "<img src=x onerror=alert(1)>",
      "<script>alert(2)</script>",
      "![canary](http://canary.invalid/x.png)",
      "[click](javascript:alert(3))",
      "<iframe src=http://canary.invalid></iframe><style>*{background:url(http://canary.invalid/y)}</style>",
      "\u202erevo\u202c \u200bzero",
    ].join(" ");
    const id = await page.evaluate(async (prompt: string) => {
      const response = await fetch("/api/sessions", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title: "<b>bold</b>", prompt }),
      });
      return ((await response.json()) as { id: string }).id;
    }, `@text ${hostile}`);
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(house.url)) foreign.push(request.url());
    });
    await page.goto(`${house.url}/sessions/${id}`);
    await page.getByText("<script>alert(2)</script>").first().waitFor();
    expect(foreign).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it("[V3] a restart of the api is told, survived, and leaves nothing out", async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    await signIn(page, house.url);
    await begin(page, house.url, `@slow 60\n@text ${"tick ".repeat(80)}end-of-it`);
    await page
      .getByText(/tick tick tick/)
      .first()
      .waitFor();
    await house.kill("api");
    await page
      .getByText(/end-of-it/)
      .last()
      .waitFor({ timeout: 60_000 });
    await page.getByRole("main").getByText("Ready", { exact: true }).waitFor();
    await context.close();
  });
});

async function signIn(page: Page, url: string): Promise<BrowserContext> {
  await page.goto(url);
  await page.getByLabel("Login").fill(ADMIN.login);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.keyboard.press("Enter");
  await page.getByText("New session").first().waitFor();
  return page.context();
}

/** Only what is near the part in sight is on the page. */
async function scrollUpTo(page: Page, text: string): Promise<void> {
  const wanted = page.getByText(text, { exact: true });
  await page.locator(".transcript").hover();
  await waitFor(`“${text}” further up`, async () => {
    if (await wanted.isVisible()) return true;
    await page.mouse.wheel(0, -300);
    return false;
  });
}

async function begin(page: Page, url: string, prompt: string): Promise<void> {
  const id = await page.evaluate(async (text: string) => {
    const response = await fetch("/api/sessions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: text }),
    });
    return ((await response.json()) as { id: string }).id;
  }, prompt);
  await page.goto(`${url}/sessions/${id}`);
}

/** Errors, dialogs and breaches of the page's policy, as they happen. */
async function watchForTroubles(page: Page): Promise<string[]> {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML|violat/i.test(message.text()))
      troubles.push(message.text());
  });
  return troubles;
}
