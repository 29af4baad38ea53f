/** The list of sessions, a new one, and what is the page's own: appearance, keys, components. */
import { randomUUID } from "node:crypto";
import type { Browser as Chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoSeriousFaults } from "./axe.ts";
import type { Browser } from "./browser.ts";
import { describeBrowser, openChromium } from "./chromium.ts";
import { House, waitFor } from "./house.ts";
import { expectWell, VISITS, Visitor } from "./visitor.ts";

const MANY = 260;

describeBrowser("the list", () => {
  let house: House;
  let chromium: Chromium;
  let person: Browser;
  beforeAll(async () => {
    [house, chromium] = await Promise.all([House.start(), openChromium()]);
    person = await house.signIn();
  });
  afterAll(async () => {
    await chromium.close();
    await house[Symbol.asyncDispose]();
  });

  it.each(VISITS)(
    "[V6] a session is begun, renamed, found, archived and deleted, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      await page.goto("/");
      await page.getByRole("link", { name: "New session" }).first().click();
      await page.getByLabel("What should Claude do?").fill("@text Begun.");
      await page.getByLabel("Plan first").check();
      await page.getByLabel("Effort").selectOption("high");
      await expectWell(visitor);
      await page.getByRole("button", { name: "Begin" }).click();
      await page.getByText("Begun.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Permissions: Plan first" }).waitFor();

      await page.goto("/");
      const name = `Tidy up ${randomUUID().slice(0, 8)}`;
      const rows = page.getByRole("navigation", { name: "Sessions" }).getByRole("listitem");
      await rows
        .first()
        .getByRole("button", { name: /^More for/ })
        .click();
      await expectWell(visitor);
      await page.getByRole("menuitem", { name: "Rename…" }).click();
      await page.getByLabel("Title", { exact: true }).fill(name);
      await expectWell(visitor);
      await page.keyboard.press("Enter");
      await rows.filter({ hasText: name }).waitFor();

      await page.getByLabel("Search by title").fill(name.toLowerCase());
      await waitFor("one row", async () => (await rows.count()) === 1);
      await page.getByLabel("Search by title").fill("nothing is called this");
      await page.getByText("No session is called that.").waitFor();
      await expectWell(visitor);
      await page.getByLabel("Search by title").fill("");

      await rows
        .filter({ hasText: name })
        .getByRole("button", { name: /^More for/ })
        .click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await waitFor(
        "gone from the list",
        async () => (await rows.filter({ hasText: name }).count()) === 0,
      );
      await page.getByLabel("Show").selectOption("archived");
      await rows
        .filter({ hasText: name })
        .getByRole("button", { name: /^More for/ })
        .click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete this session?" });
      await dialog.waitFor();
      await expectWell(visitor);
      // The safe way out has the focus: Enter deletes nothing.
      await waitFor("the focus on Cancel", () =>
        page.evaluate<boolean>('document.activeElement?.textContent === "Cancel"'),
      );
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await rows
        .filter({ hasText: name })
        .getByRole("button", { name: /^More for/ })
        .click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await dialog.getByRole("button", { name: "Delete the session" }).click();
      await page.getByText("Nothing is archived.").waitFor();
    },
  );

  it("[V6] hundreds of sessions cost no more of the page than twenty, and the last is reached", async () => {
    for (let from = 0; from < MANY; from += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          person.session({ title: `Session ${from + index}` }),
        ),
      );
    }
    await using visitor = await Visitor.come(house, chromium, VISITS[0]);
    const { page } = visitor;
    await page.goto("/");
    const list = page.locator(".virtual");
    await list.getByText("Session", { exact: false }).first().waitFor();
    await waitFor("the end of the list", async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return page.getByText(/^\d+ sessions$/).isVisible();
    });
    expect(await list.locator("[data-row]").count()).toBeLessThan(60);
    await list.evaluate((element) => element.scrollTo(0, 0));
    await list.locator("a").first().focus();
    for (let step = 0; step < 30; step++) await page.keyboard.press("ArrowDown");
    expect(
      await page.evaluate('document.activeElement?.closest("li")?.getAttribute("aria-posinset")'),
    ).toBe("31");
    await expectWell(visitor);
  });

  it.each(VISITS)("[V6] what needs me is first, and a key goes there, on $name", async (visit) => {
    await using visitor = await Visitor.come(house, chromium, visit);
    const { page } = visitor;
    const title = `Asks on ${visit.name}`;
    const id = await person.session({ title, prompt: '@tool Bash {"command":"mkfifo x"}' });
    await person.until(id, 0, (event) => event.type === "permission:requested");
    await person.session({ title: "Later, and asks nothing" });
    await page.goto("/");
    const row = page.getByRole("navigation").getByRole("listitem").filter({ hasText: title });
    await row.getByText("Needs you").waitFor();
    await page.getByLabel("Show").selectOption("needsMe");
    await expectWell(visitor);
    await page.getByLabel("Show").blur();
    await page.keyboard.press("n");
    await page.waitForURL(/\/sessions\//);
    await person.delete(`/api/sessions/${id}`);
  });

  it.each(VISITS)(
    "[V6] appearance is chosen and kept; keys and components are shown, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      await page.goto("/");
      const account = page.getByRole("button", { name: /account and settings/ });
      const other = visit.theme === "light" ? "Dark" : "Light";
      await account.click();
      await page.getByRole("menuitemradio", { name: other }).click();
      expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(
        other.toLowerCase(),
      );
      await page.reload();
      await account.waitFor();
      expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(
        other.toLowerCase(),
      );
      await expectWell(visitor);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      await expectWell(visitor);
      await page.keyboard.press("Escape");
      await account.click();
      await page.getByRole("menuitem", { name: "Components" }).click();
      await page.getByRole("heading", { name: "Components" }).waitFor();
      await expectWell(visitor);
    },
  );

  it("[V6] a server that is gone is told, and the page is well without it", async () => {
    await using visitor = await Visitor.come(house, chromium, VISITS[1]);
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("link", { name: "New session" }).first().waitFor();
    await page.context().setOffline(true);
    // An emulated loss leaves open connections open.
    await house.kill("api");
    await page
      .getByText(/offline|Not connected/)
      .first()
      .waitFor();
    await expectNoSeriousFaults(page);
    await page.context().setOffline(false);
    await page.getByText(/This device is offline/).waitFor({ state: "detached" });
  });
});
