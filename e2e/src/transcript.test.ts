/** The transcript on the real stack: what is hostile is text, what is long is quick, where one reads is kept. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Browser as Chromium, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "@lodge/protocol/testing";
import type { Browser } from "./browser.ts";
import { isType } from "./browser.ts";
import { describeBrowser, openChromium } from "./chromium.ts";
import { ADMIN, House, waitFor } from "./house.ts";

const IN_PAGE = fileURLToPath(new URL("transcript-page.mjs", import.meta.url));

/** As a script writes a text on one line. */
const escaped = (text: string): string =>
  [...text.replaceAll("\0", "\u0001")]
    .map((character) =>
      /[\\\n\r\t\p{C}\u2028\u2029{}]/u.test(character)
        ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
        : character,
    )
    .join("");

describeBrowser("the transcript", () => {
  let house: House;
  let chromium: Chromium;
  let person: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [house, chromium] = await Promise.all([House.start(), openChromium()]);
    person = await house.signIn();
    context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addInitScript({ path: IN_PAGE });
    const page = await context.newPage();
    await page.goto(house.url);
    await page.getByLabel("Login").fill(ADMIN.login);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.keyboard.press("Enter");
    await page.getByText("New session").first().waitFor();
    await page.close();
  });
  afterAll(async () => {
    await chromium.close();
    await house[Symbol.asyncDispose]();
  });

  const open = async (id: string): Promise<{ page: Page; troubles: string[] }> => {
    const page = await context.newPage();
    const troubles = watch(page, house.url);
    await page.goto(`${house.url}/sessions/${id}`);
    await page.locator(".transcript-item").first().waitFor();
    return { page, troubles };
  };
  const finished = (id: string, after = 0) => person.until(id, after, isType("turn:end"));

  it("[V2] the whole hostile corpus, in every place a text can stand, is text", async () => {
    const texts = HOSTILE_TEXTS.filter((text) => text.length < 4_000);
    const write = (text: string) =>
      JSON.stringify({ file_path: `{{cwd}}/${randomUUID()}.html`, content: text });
    const prompt = [
      ...texts.map((text) => `@text ${escaped(text)}`),
      ...texts.slice(0, 40).map((text) => `@tool Write ${write(text.replaceAll("{{", "{ {"))}`),
      "@then",
      `@tool Bash ${JSON.stringify({ command: "cat *.html", description: texts[0] })}`,
      `@tool AskUserQuestion ${JSON.stringify({
        questions: [
          {
            question: texts[2],
            header: texts[3]?.slice(0, 12),
            options: [
              { label: texts[4], description: texts[5] },
              { label: texts[6], description: texts[7] },
            ],
            multiSelect: false,
          },
        ],
      })}`,
      "@then",
      `@error 400 ${texts[1]}`,
    ].join("\n");
    const id = await person.session({
      title: texts[2],
      permissionMode: "acceptEdits",
      prompt,
    });
    const asked = await person.until(
      id,
      0,
      (event) => event.type === "permission:requested" || event.type === "turn:end",
    );
    const { page, troubles } = await open(id);
    const request = asked.at(-1);
    if (request?.type === "permission:requested")
      await person.post(`/api/sessions/${id}/permissions/${request.data.requestId}`, {
        behavior: "deny",
        message: texts[8],
      });

    await page.mouse.move(640, 400);
    let isTop = false;
    for (let turns = 0; turns < 120 && !isTop; turns++) {
      await ask(page, "openAll()");
      troubles.push(...(await ask<string[]>(page, "troubles()")));
      await page.mouse.wheel(0, -500);
      await page.waitForTimeout(30);
      isTop = (await ask<number>(page, "top()")) < 5;
    }
    expect(isTop).toBe(true);
    expect(troubles).toEqual([]);

    // A link leads out when it is pressed, and in no other case; the new page knows nothing of this one.
    await waitFor("a link", async () => {
      await page.mouse.wheel(0, 400);
      return (await ask<number>(page, 'links("canary.invalid")')) > 0;
    });
    const link = page.locator(".transcript a[href*='canary.invalid']").first();
    await link.hover();
    expect(troubles).toEqual([]);
    const [popup] = await Promise.all([context.waitForEvent("page"), link.click()]);
    expect(await popup.evaluate("opener === null")).toBe(true);
    await popup.close();
    await page.close();
  });

  it("[V7] what is written is followed to its end, and reading further up is not disturbed", async () => {
    const id = await person.session({
      prompt: `@text ${"First. ".repeat(2_000)}\n@slow 20\n@text ${"word ".repeat(400)}the-end`,
    });
    const { page } = await open(id);
    await page.getByText(/word word/).waitFor();
    const distance = () => ask<number>(page, "fromEnd()");
    expect(await distance()).toBeLessThan(60);
    await page.mouse.move(640, 300);
    await page.mouse.wheel(0, -900);
    await waitFor("the way back", () =>
      page.getByRole("button", { name: "Jump to latest" }).isVisible(),
    );
    const top = () => ask<number>(page, "top()");
    const before = await top();
    await page.waitForTimeout(500);
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await page
      .getByText(/the-end/)
      .last()
      .waitFor();
    await waitFor("the end", async () => (await distance()) < 60);
    await page.close();
  });

  it("[V8] earlier events come in above what one reads, and few of them are on the page", async () => {
    const steps = Array.from({ length: 150 }, (_, n) =>
      [`@text Message number ${n} of many.`, "@then"].join("\n"),
    );
    const id = await person.session({
      permissionMode: "acceptEdits",
      prompt: [
        ...steps.map((step, n) =>
          step.replace(
            "@then",
            `@tool Read ${JSON.stringify({ file_path: `{{cwd}}/none-${n}` })}\n@then`,
          ),
        ),
        "@text That was all.",
      ].join("\n"),
    });
    const all = await finished(id);
    expect(all.length).toBeGreaterThan(400);
    const { page } = await open(id);
    await page.getByText("That was all.").waitFor();
    await page.mouse.move(640, 400);
    const jumps: number[] = [];
    let isTop = false;
    for (let turn = 0; turn < 200 && !isTop; turn++) {
      // Where something stands may move by what was scrolled, and by nothing else.
      const was = await ask<{ key: string; top: number }>(page, "mark()");
      await page.mouse.wheel(0, -300);
      await page.waitForTimeout(60);
      const is = await ask<number | null>(page, `find(${JSON.stringify(was.key)})`);
      if (is !== null) jumps.push(is - was.top);
      isTop = await page.getByText("The session begins here").isVisible();
      expect(await ask<number>(page, "elements()")).toBeLessThan(2_500);
    }
    expect(isTop).toBe(true);
    expect(await page.getByText("Message number 0 of many.").count()).toBeGreaterThan(0);
    expect(Math.max(...jumps)).toBeLessThan(320);
    expect(Math.min(...jumps)).toBeGreaterThan(-20);
    await page.close();
  });

  it("[V9] code is coloured by the page's own sheet, and copied as it was written", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: house.url });
    const id = await person.session({
      prompt: "@text Here:\\n\\n```ts\\nconst answer: number = 42;\\n```",
    });
    await finished(id);
    const { page, troubles } = await open(id);
    await page.locator(".code-keyword").first().waitFor();
    await page.locator("figure.code").getByRole("button", { name: "Copy" }).click();
    await page.locator("figure.code").getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      "const answer: number = 42;",
    );
    expect(troubles).toEqual([]);
    await page.close();
  });
});

/** What `transcript-page.mjs` answers in the page. */
const ask = <T>(page: Page, question: string): Promise<T> => page.evaluate(`lodgeTest.${question}`);

/** Dialogs, errors, breaches of the page's policy, and requests to anywhere else. */
function watch(page: Page, url: string): string[] {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) troubles.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
      troubles.push(`request: ${request.url()}`);
  });
  return troubles;
}
