/** The scripted model, as a process of its own: this package does not import the one it is in. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../../tools/src/model-server/main.ts", import.meta.url));

export type ModelProcess = { readonly url: string; readonly close: () => Promise<void> };

export async function startModel(): Promise<ModelProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "--conditions=source", MAIN], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      close: async () => {
        child.kill("SIGKILL");
        await exited;
      },
    };
  }
  throw new Error("the scripted model did not start");
}
