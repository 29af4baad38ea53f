/** Prompts as a person meets them: whole, several at once, answered by what was meant and by nothing else. */
import type { Browser as Chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "./browser.ts";
import { describeBrowser, openChromium } from "./chromium.ts";
import { House } from "./house.ts";
import { expectWell, VISITS, Visitor } from "./visitor.ts";

const tool = (name: string, input: unknown) => `@tool ${name} ${JSON.stringify(input)}`;
const bash = (command: string) => tool("Bash", { command, description: "As asked" });

describeBrowser("prompts", () => {
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
  const answers = async (id: string) =>
    (await person.history(id)).flatMap((event) =>
      event.type === "permission:resolved" ? [event.data] : [],
    );

  it.each(VISITS)("[V4] a command is seen whole and allowed as edited, on $name", async (visit) => {
    await using visitor = await Visitor.come(house, chromium, visit);
    const { page } = visitor;
    const id = await visitor.begin(
      `${bash("mkfifo one\u202e && echo done")}\n@then\n@text It went through.`,
    );
    const card = page.getByRole("group", { name: "Allow Bash?" });
    await card.getByText("U+202E").first().waitFor();
    await card
      .getByText(/Exactly this command|Every command/)
      .first()
      .waitFor();
    await expectWell(visitor);
    // Neither Enter on the page nor a message beside it is an answer.
    await page.keyboard.press("Enter");
    await visitor.composer().fill("and then?");
    await visitor.composer().press("Control+Enter");
    await card.getByRole("button", { name: "Edit…" }).click();
    await expectWell(visitor);
    const field = card.getByLabel("command");
    await field.fill("mkfifo two");
    await field.press("Enter");
    expect(await answers(id)).toEqual([]);
    await field.fill("mkfifo two");
    await card.getByRole("button", { name: "Allow as edited" }).click();
    await page.getByText("It went through.", { exact: true }).waitFor();
    const [answer] = await answers(id);
    expect(answer).toMatchObject({
      outcome: "allowed",
      answer: { updatedInput: { command: "mkfifo two", description: "As asked" } },
    });
  });

  it.each(VISITS)(
    "[V4] a change is a diff; always says what rule it makes, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const file = "{{cwd}}/notes.txt";
      await visitor.begin(
        [
          tool("Write", { file_path: file, content: "one\ntwo\n" }),
          "@then",
          tool("Edit", { file_path: file, old_string: "two", new_string: "three" }),
          "@then",
          bash("mkfifo a"),
          "@then",
          bash("mkfifo a"),
          "@then",
          "@text All written.",
        ].join("\n"),
      );
      const write = page.getByRole("group", { name: "Allow Write?" });
      await write.getByText("one", { exact: false }).first().waitFor();
      await write.getByRole("button", { name: "Allow once" }).click();
      const edit = page.getByRole("group", { name: "Allow Edit?" });
      await edit.locator('[data-kind="removed"]', { hasText: "two" }).waitFor();
      await edit.locator('[data-kind="added"]', { hasText: "three" }).waitFor();
      await expectWell(visitor);
      await edit.getByRole("button", { name: "Allow once" }).click();
      // Allowed for the session: the same command does not ask again.
      const command = page.getByRole("group", { name: "Allow Bash?" });
      await command.getByRole("button", { name: "Always allow" }).first().click();
      await page.getByText("All written.", { exact: true }).waitFor();
    },
  );

  it.each(VISITS)(
    "[V4] a plan is read, refused with words, approved into a mode, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const plan = "# The plan\n\n1. **Look** first";
      const id = await visitor.begin(
        [
          tool("ExitPlanMode", { plan }),
          "@then",
          tool("ExitPlanMode", { plan }),
          "@then",
          "@text Off.",
        ].join("\n"),
        { permissionMode: "plan" },
      );
      const card = page.getByRole("group", { name: "Claude has a plan" });
      await card.getByRole("heading", { name: "The plan" }).waitFor();
      await expectWell(visitor);
      await card.getByText("As written").click();
      await card.getByText("1. **Look** first").waitFor();
      await card.getByRole("button", { name: "Keep planning…" }).click();
      await card.getByLabel("What should be different?").fill("Less of it.");
      await card.getByRole("button", { name: "Keep planning…" }).click();
      const second = page.getByRole("group", { name: "Claude has a plan" });
      await second.getByRole("heading", { name: "The plan" }).waitFor();
      await second.getByLabel("Accept edits").check();
      await second.getByRole("button", { name: "Approve plan" }).click();
      await page.getByText("Off.", { exact: true }).waitFor();
      expect(await answers(id)).toMatchObject([
        { outcome: "denied", answer: { message: "Less of it." } },
        { outcome: "allowed", answer: { updatedPermissions: [{ mode: "acceptEdits" }] } },
      ]);
      await page.getByRole("button", { name: "Permissions: Accept edits" }).waitFor();
    },
  );

  it.each(VISITS)(
    "[V4] questions are answered by picks and in own words, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const questions = [
        {
          question: "Which one?",
          header: "One",
          options: [
            { label: "Red", description: "warm" },
            { label: "Blue", description: "cold" },
          ],
          multiSelect: false,
        },
        {
          question: "Which ones?",
          header: "Some",
          options: [
            { label: "S", description: "small" },
            { label: "L", description: "large" },
          ],
          multiSelect: true,
        },
      ];
      const id = await visitor.begin(
        `${tool("AskUserQuestion", { questions })}\n@then\n@text Good choice.`,
      );
      const card = page.getByRole("group", { name: "Claude has a question" });
      await card.getByLabel("S", { exact: false }).first().waitFor();
      await expectWell(visitor);
      await card.getByRole("checkbox", { name: /^S/ }).check();
      await card.getByRole("checkbox", { name: /^L/ }).check();
      const submit = card.getByRole("button", { name: "Answer" });
      expect(await submit.getAttribute("aria-disabled")).toBe("true");
      const own = card.getByLabel("Something else").first();
      await own.fill("Green");
      await own.press("Enter");
      await own.fill("Green");
      await submit.click();
      await page.getByText("Good choice.", { exact: true }).waitFor();
      expect(await answers(id)).toMatchObject([
        { answer: { updatedInput: { answers: { "Which one?": "Green", "Which ones?": "S, L" } } } },
      ]);
    },
  );

  it.each(VISITS)(
    "[V4] several stand side by side; what is answered elsewhere is told, on $name",
    async (visit) => {
      await using visitor = await Visitor.come(house, chromium, visit);
      const { page } = visitor;
      const id = await visitor.begin(
        `${bash("mkfifo one")}\n${bash("mkfifo two")}\n@then\n@text Both done.`,
      );
      const cards = page.getByRole("group", { name: "Allow Bash?" });
      await cards.nth(0).waitFor();
      if ((await cards.count()) === 1) await page.waitForTimeout(500);
      await expectWell(visitor);
      const asked = (await person.history(id)).flatMap((event) =>
        event.type === "permission:requested" ? [event.data.requestId] : [],
      );
      await person.post(`/api/sessions/${id}/permissions/${asked[0]}`, {
        behavior: "deny",
        message: "No.",
      });
      await page.getByText("Bash: denied by you, on another page").waitFor();
      const left = page.getByRole("group", { name: "Allow Bash?" });
      await left.first().getByRole("button", { name: "Deny", exact: true }).click();
      await page.getByText("Both done.", { exact: true }).waitFor();
    },
  );
});
