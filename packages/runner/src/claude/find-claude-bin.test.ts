import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findClaudeBin } from "./find-claude-bin.ts";
import { placeClaudeBin } from "./place-claude-bin.ts";

describe("finding and placing the CLI", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "lodge-bin-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function makeBin(name: string, mode = 0o755): Promise<string> {
    const path = join(directory, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, `#!/bin/sh\necho ${name}\n`);
    await chmod(path, mode);
    return path;
  }
  const nothingPinned = () => Promise.resolve(null);

  it("takes the setting, else CLAUDE_BIN, else the pinned one, else an installed one", async () => {
    const [setting, variable, pinned, installed] = [
      await makeBin("setting"),
      await makeBin("variable"),
      await makeBin("pinned"),
      await makeBin("home/.local/bin/claude"),
    ];
    const host = { CLAUDE_BIN: variable, HOME: join(directory, "home") };
    const findPinned = () => Promise.resolve({ path: pinned, version: "1.2.3" });
    const found = (path: string, pinnedVersion: string | null = null) => ({
      kind: "found",
      path,
      pinnedVersion,
    });
    expect(await findClaudeBin({ setting, host, findPinned })).toEqual(found(setting));
    expect(await findClaudeBin({ setting: "", host, findPinned })).toEqual(found(variable));
    const { HOME } = host;
    const setup = { setting: undefined, host: { HOME } };
    expect(await findClaudeBin({ ...setup, findPinned })).toEqual(found(pinned, "1.2.3"));
    expect(await findClaudeBin({ ...setup, findPinned: nothingPinned })).toEqual(found(installed));
  });

  it("never takes another for one that was named", async () => {
    const plain = await makeBin("plain", 0o644);
    for (const setting of [plain, join(directory, "none"), "claude", directory]) {
      expect(await findClaudeBin({ setting, host: {} })).toMatchObject({
        kind: "missing",
        problem: expect.stringContaining(`LODGE_CLAUDE_BIN is ${setting}, which is not`) as string,
      });
    }
  });

  it("puts it in place once per version, whole or not at all", async () => {
    const source = await makeBin("source");
    const bin = join(directory, "bin");
    const options = { source, version: "1.2.3", directory: bin, isRoot: false };
    const path = await placeClaudeBin(options);
    const { ino } = await stat(path);
    expect(await readFile(path, "utf8")).toContain("echo source");
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    expect(await placeClaudeBin(options)).toBe(path);
    expect((await stat(path)).ino).toBe(ino);
    await writeFile(path, "cut sho");
    await placeClaudeBin({ ...options, source: await makeBin("again!") });
    expect(await readFile(path, "utf8")).toContain("again!");
    expect(await readdir(bin)).toEqual(["claude-1.2.3"]);
  });

  it("as root it is not readable, and the installed one keeps its mode", async () => {
    const source = await makeBin("source");
    const options = { source, version: "1.2.3", directory: join(directory, "bin"), isRoot: true };
    expect((await stat(await placeClaudeBin(options))).mode & 0o777).toBe(0o711);
    expect((await stat(source)).mode & 0o777).toBe(0o755);
  });
});
