/** Debian's Chromium, driven by playwright-core; where it is not installed, browser tests are skipped and say so. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { describe } from "vitest";

const PATH = process.env["LODGE_TEST_CHROMIUM"] ?? "/usr/bin/chromium";
const isThere = existsSync(PATH);

export const describeBrowser: typeof describe.skip = isThere ? describe : describe.skip;
if (!isThere) process.stderr.write(`Browser tests are skipped: there is no Chromium at ${PATH}.\n`);

export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PATH,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
