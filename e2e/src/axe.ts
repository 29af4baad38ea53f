/** What is wrong with a page for those who use it by keyboard, ear or with little contrast, as axe-core sees it. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** axe-core without serious findings. Run in an isolated world: the page's policy forbids injecting it. */
export async function expectNoSeriousFaults(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId } = await client.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  await client.send("Runtime.evaluate", { expression: axe.source, contextId: executionContextId });
  const { result } = await client.send("Runtime.evaluate", {
    expression: `axe.run().then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  expect(result.value).toEqual([]);
}
