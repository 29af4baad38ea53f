/** Writing to Claude: the queue, steering, commands, pictures, settings, and stopping. */
import type { Browser as Chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "./browser.ts";
import { describeBrowser, openChromium } from "./chromium.ts";
import { House, waitFor } from "./house.ts";
import { expectWell, VISITS, Visitor } from "./visitor.ts";

const SLOW = `@slow 60\n@text ${"tick ".repeat(600)}`;

describeBrowser("the composer", () => {
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
    "[V5] what waits is edited, moved and withdrawn; Escape stops, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const id = await visitor.begin(SLOW);
      await page.getByRole("button", { name: "Queue" }).waitFor();
      const rows = page.getByRole("region", { name: "Not handed over yet" }).getByRole("listitem");
      for (const [index, text] of ["@text first", "@text second", "@text third"].entries()) {
        await visitor.composer().fill(text);
        await page.getByRole("button", { name: "Queue" }).click();
        await rows.nth(index).getByRole("button", { name: "Withdraw" }).waitFor();
      }
      await expectWell(visitor);

      // By keyboard, and the focus goes with the row.
      await rows.nth(2).getByRole("button", { name: "Earlier" }).focus();
      await page.keyboard.press("Enter");
      await waitFor("the third in the middle", async () =>
        ((await rows.nth(1).textContent()) ?? "").includes("third"),
      );
      await page.keyboard.press("Enter");
      await waitFor("the third on top", async () =>
        ((await rows.nth(0).textContent()) ?? "").includes("third"),
      );

      await rows.nth(1).getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Text of the queued message").fill("@text first, but better");
      await page.getByRole("button", { name: "Save" }).click();
      await rows.nth(1).getByText("first, but better").waitFor();
      await rows.nth(2).getByRole("button", { name: "Withdraw" }).click();
      await waitFor("two rows", async () => (await rows.count()) === 2);

      // The ladder: one step stops the turn, and the queue waits.
      await visitor.composer().focus();
      await page.keyboard.press("Escape");
      await page.getByText("The queue waits.", { exact: false }).waitFor();
      await waitFor("idle", async () => {
        const { body } = await person.get(`/api/sessions/${id}`);
        return body.status === "idle";
      });
      await visitor.composer().fill("@text go on");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("first, but better", { exact: true }).waitFor();
    },
  );

  it.each(VISITS)(
    "[V5] commands come from the CLI; mode, model and effort are set, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const id = await visitor.begin("@text Hello.");
      await page.getByText("Hello.", { exact: true }).waitFor();
      await visitor.composer().fill("/comp");
      const option = page.getByRole("option", { name: /^\/compact/ });
      await option.waitFor();
      await expectWell(visitor);
      await visitor.composer().press("Tab");
      expect(await visitor.composer().inputValue()).toBe("/compact ");
      await visitor.composer().fill("");

      await page.getByRole("button", { name: "Permissions: Ask before acting" }).click();
      await page.getByRole("menuitemradio", { name: /^Accept edits/ }).waitFor();
      await expectWell(visitor);
      await page.getByRole("menuitemradio", { name: /^Accept edits/ }).click();
      await page.getByRole("button", { name: "Permissions: Accept edits" }).waitFor();
      await page.getByRole("button", { name: /^Effort:/ }).click();
      await page.getByRole("menuitemradio", { name: "High", exact: true }).click();
      await page.getByRole("button", { name: "Effort: High" }).waitFor();
      const changes = (await person.history(id)).flatMap((event) =>
        event.type === "config:changed" && event.data.title === undefined ? [event.data] : [],
      );
      expect(changes).toMatchObject([{ permissionMode: "acceptEdits" }, { effort: "high" }]);
    },
  );

  it.each(VISITS)("[V5] a picture is checked, redrawn and scaled, on $name", async (visit) => {
    await using visitor = await Visitor.come(house, chromium, visit);
    const { page } = visitor;
    const id = await visitor.begin("");
    const picture = await page.evaluate<number[]>(`(async () => {
      const canvas = new OffscreenCanvas(3000, 1000);
      canvas.getContext("2d").fillRect(0, 0, 1500, 1000);
      const blob = await canvas.convertToBlob();
      return [...new Uint8Array(await blob.arrayBuffer())];
    })()`);
    await page.locator("input[type=file]").setInputFiles([
      { name: "wide.png", mimeType: "image/png", buffer: Buffer.from(picture) },
      { name: "trap.png", mimeType: "image/png", buffer: Buffer.from("<svg onload=alert(1)>") },
    ]);
    await page.getByText("2000 × 667").waitFor();
    await page.getByText("trap.png is no picture", { exact: false }).waitFor();
    await expectWell(visitor);
    await page.getByRole("button", { name: "Remove trap.png" }).click();
    await visitor.composer().fill("@text I see it.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("I see it.", { exact: true }).waitFor();
    const queued = (await person.history(id)).find((event) => event.type === "input:queued");
    expect(queued?.data).toMatchObject({
      contentBlocks: [{ type: "image", source: { media_type: "image/png" } }],
    });
  });

  it.each(VISITS)("[V5] trusting a directory is explained and said, on $name", async (visit) => {
    await using visitor = await Visitor.come(house, chromium, visit);
    const { page } = visitor;
    await visitor.begin("@text Hello.");
    await page.getByText("Hello.", { exact: true }).waitFor();
    const more = page.getByRole("button", { name: "More for this session" });
    await more.click();
    await page.getByRole("menuitem", { name: "Trust this directory…" }).click();
    const dialog = page.getByRole("dialog", { name: "Trust this directory?" });
    await dialog.waitFor();
    await expectWell(visitor);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The focus comes back a task after the dialog has gone.
    await waitFor("the focus where it was", () =>
      page.evaluate<boolean>(
        "document.activeElement?.getAttribute('aria-label') === 'More for this session'",
      ),
    );
    await more.click();
    await page.getByRole("menuitem", { name: "Trust this directory…" }).click();
    await dialog.getByRole("button", { name: "Trust it" }).click();
    await page.getByText("This directory is trusted").first().waitFor({ state: "attached" });
  });
});
