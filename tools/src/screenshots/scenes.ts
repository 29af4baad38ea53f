/** Every page and state that has a picture: where it is, and what is done there before it is taken. */
import type { Page } from "playwright-core";
import type { StoryName } from "./stories.ts";

export type Scene = {
  readonly name: string;
  /** A page, or a session by its story. */
  readonly at: string | { readonly story: StoryName };
  readonly isSignedOut?: boolean;
  readonly isWhole?: boolean;
  readonly act?: (page: Page) => Promise<void>;
};

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
const menuItem = async (page: Page, name: string | RegExp): Promise<void> => {
  const item = page.getByRole("menuitem", { name });
  await item.click();
};
const moreFor = (page: Page) => press("More for this session")(page);
const card = (page: Page) => page.locator(".prompt").first();

export const SCENES: readonly Scene[] = [
  { name: "login", at: "/", isSignedOut: true },
  {
    name: "login-wrong",
    at: "/",
    isSignedOut: true,
    act: async (page) => {
      await page.getByLabel("Login").fill("ada");
      await page.getByLabel("Password").fill("not it");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: /wrong/ }).waitFor();
    },
  },
  { name: "setup", at: "/setup#secret", isSignedOut: true },
  { name: "list", at: "/" },
  {
    name: "list-nothing-found",
    at: "/",
    act: async (page) => {
      await page.getByLabel("Search by title").fill("no such thing");
      await page.getByText("No session is called that.").waitFor();
    },
  },
  {
    name: "list-archive",
    at: "/",
    act: async (page) => {
      await page.getByRole("combobox", { name: "Show" }).selectOption("archived");
      await page.getByText("Tidy up the build").waitFor();
    },
  },
  { name: "list-menu", at: "/", act: press(/^More for/) },
  {
    name: "list-rename",
    at: "/",
    act: async (page) => {
      await press(/^More for/)(page);
      await menuItem(page, "Rename…");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "list-delete",
    at: "/",
    act: async (page) => {
      await press(/^More for/)(page);
      await menuItem(page, "Delete…");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "account-menu", at: "/", act: press(/account and settings/) },
  {
    name: "keys",
    at: "/",
    act: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "new-session", at: "/new" },
  { name: "components", at: "/components", isWhole: true },
  { name: "session", at: { story: "talk" } },
  { name: "session-working", at: { story: "slow" } },
  { name: "session-failed", at: { story: "failed" } },
  { name: "session-gone", at: "/sessions/00000000-0000-4000-8000-000000000000" },
  { name: "prompt-command", at: { story: "command" } },
  { name: "prompt-edit", at: { story: "edit" } },
  {
    name: "prompt-editing",
    at: { story: "command" },
    act: (page) => card(page).getByRole("button", { name: "Edit…" }).click(),
  },
  {
    name: "prompt-denying",
    at: { story: "command" },
    act: (page) => card(page).getByRole("button", { name: "Deny with a message…" }).click(),
  },
  { name: "prompt-several", at: { story: "several" } },
  { name: "plan", at: { story: "plan" } },
  {
    name: "questions",
    at: { story: "questions" },
    act: async (page) => {
      await page.getByRole("radio").first().check();
      await page.getByRole("checkbox").first().check();
    },
  },
  {
    name: "commands",
    at: { story: "talk" },
    act: async (page) => {
      await page.getByLabel("Message to Claude").pressSequentially("/co");
      await page.getByRole("listbox").waitFor();
    },
  },
  { name: "modes", at: { story: "talk" }, act: press(/^Permissions:/) },
  { name: "models", at: { story: "talk" }, act: press(/^Model:/) },
  { name: "session-menu", at: { story: "talk" }, act: moreFor },
  {
    name: "trust",
    at: { story: "talk" },
    act: async (page) => {
      await moreFor(page);
      await menuItem(page, "Trust this directory…");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "queue", at: { story: "command" } },
  {
    name: "queue-editing",
    at: { story: "command" },
    act: (page) => page.locator(".queue").getByRole("button", { name: "Edit" }).first().click(),
  },
  {
    name: "draft-with-picture",
    at: { story: "talk" },
    act: async (page) => {
      const picture = await page.screenshot({ type: "png" });
      await page.locator("input[type=file]").setInputFiles([
        { name: "screen.png", mimeType: "image/png", buffer: picture },
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") },
      ]);
      await page.locator(".attachments img").waitFor();
      await page.getByLabel("Message to Claude").fill("This is what I see. The button is cut off.");
    },
  },
  {
    name: "offline",
    at: { story: "talk" },
    act: async (page) => {
      await page.route("**/api/stream*", (route) => route.abort());
      await page.reload();
      await page.getByText("Not connected to the server.", { exact: false }).waitFor();
    },
  },
];
