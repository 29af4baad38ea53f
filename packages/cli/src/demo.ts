/**
 * `lodge demo`: the real CLI with a scripted model behind it, so that a newcomer sees everything work without an
 * account anywhere. Its data is apart from the real house's, and so can be thrown away.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataDir } from "./layout.ts";
import { tryPort } from "./port.ts";
import { readOrMakeSecret } from "./secret-file.ts";
import { type Environment, parseSettings } from "./settings.ts";
import { type House, up } from "./up.ts";

const LOGIN = "demo";

export type Demo = Pick<House, "programs" | "say" | "stop" | "hurry" | "onReady">;

export async function demo(environment: Environment, cwd: string, house: Demo): Promise<void> {
  const asked = parseSettings({ LODGE_DATA_DIR: ".lodge-demo", ...environment }, cwd);
  const dir = openDataDir(asked.dataDir);
  const password = readOrMakeSecret(join(dir.path, "demo-password"));
  const port = await modelPort(join(dir.path, "model-port"));

  const runEnv = join(dir.path, "run.env");
  writeFileSync(
    runEnv,
    `ANTHROPIC_BASE_URL=http://127.0.0.1:${port}\nANTHROPIC_API_KEY=sk-ant-demo\n`,
    { mode: 0o600 },
  );
  const settings = {
    ...asked,
    environment: {
      ...environment,
      LODGE_RUN_ENV_FILE: runEnv,
      LODGE_ADMIN_LOGIN: LOGIN,
      LODGE_ADMIN_PASSWORD: password,
    },
  };
  const extras = [
    { name: "model", file: house.programs.model, args: ["--demo", "--port", String(port)] },
  ];
  const onReady = (url: string): void => {
    house.onReady(url);
    house.say(
      `This is a demo: the model's answers are scripted. Log in as "${LOGIN}" with the password ${password}`,
    );
  };
  await up({ ...house, settings, extras, onReady });
}

/** Kept, because a run that outlives a crash goes on asking where it was told to ask. */
async function modelPort(file: string): Promise<number> {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    const port = await tryPort("127.0.0.1", 0);
    writeFileSync(file, String(port));
    return port;
  }
}
