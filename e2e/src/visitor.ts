/** A person at the page, on a desk by day or on a phone by night: signed in, and watched for troubles. */
import type { Browser as Chromium, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoSeriousFaults } from "./axe.ts";
import { ADMIN, type House } from "./house.ts";

export const VISITS = [
  { name: "a desk, light", size: { width: 1280, height: 800 }, theme: "light", isPhone: false },
  { name: "a phone, dark", size: { width: 390, height: 844 }, theme: "dark", isPhone: true },
] as const;
export type Visit = (typeof VISITS)[number];

/** What can be pressed and is lower than a finger. In the page, as text: there is no DOM here. */
const SMALL_TARGETS = `[...document.querySelectorAll("button, select, .button")]
  .filter((element) => element.checkVisibility() && element.closest(".transcript") === null)
  .filter((element) => element.getBoundingClientRect().height < 43.5)
  .map((element) => "too low for a finger: " + element.outerHTML.slice(0, 120))`;

export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly visit: Visit;
  readonly #house: House;
  readonly #context: BrowserContext;
  readonly #troubles: string[] = [];

  private constructor(house: House, context: BrowserContext, page: Page, visit: Visit) {
    this.#house = house;
    this.#context = context;
    this.page = page;
    this.visit = visit;
    page.on("pageerror", (error) => this.#troubles.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|TrustedHTML|violat/i.test(message.text()))
        this.#troubles.push(message.text());
    });
  }

  static async come(house: House, chromium: Chromium, visit: Visit): Promise<Visitor> {
    const context = await chromium.newContext({
      viewport: visit.size,
      colorScheme: visit.theme,
      hasTouch: visit.isPhone,
      isMobile: visit.isPhone,
      reducedMotion: "reduce",
      baseURL: house.url,
    });
    const answer = await context.request.post("/api/auth/login", {
      data: ADMIN,
      headers: { origin: house.url },
    });
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
    return new Visitor(house, context, await context.newPage(), visit);
  }

  /** Makes a session by the api and opens it. */
  async begin(prompt: string, facts: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.#context.request.post("/api/sessions", {
      data: { ...(prompt === "" ? {} : { prompt }), ...facts },
      headers: { origin: this.#house.url },
    });
    const { id } = (await answer.json()) as { id: string };
    await this.page.goto(`/sessions/${id}`);
    return id;
  }

  /** The same person on another page of the same browser. */
  async otherPage(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(path);
    return page;
  }

  async act(method: "POST" | "PATCH", path: string, data: unknown): Promise<void> {
    const answer = await this.#context.request.fetch(path, {
      method,
      data,
      headers: { origin: this.#house.url },
    });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`);
  }

  composer() {
    return this.page.getByLabel("Message to Claude");
  }

  /** What is wrong with the page as it stands: errors, breaches of its policy, and what fingers do not meet. */
  async faults(): Promise<readonly string[]> {
    const overflow = await this.page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    return [
      ...this.#troubles,
      ...(overflow > 0 ? [`the page is ${overflow} px too wide`] : []),
      ...(this.visit.isPhone ? await this.page.evaluate<string[]>(SMALL_TARGETS) : []),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

export async function expectWell(visitor: Visitor): Promise<void> {
  await expectNoSeriousFaults(visitor.page);
  expect(await visitor.faults()).toEqual([]);
}
