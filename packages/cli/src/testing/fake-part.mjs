/**
 * What the doubles of the api and the runner have in common. A double writes its life into the file `story` of the data
 * directory, and behaves by what is in the file `vice-<part>` there, if anything.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const home = process.env.LODGE_DATA_DIR;

export function inHome(name) {
  return join(home, name);
}

export function live(part) {
  const tell = (what) => appendFileSync(inHome("story"), `${part} ${what}\n`);
  const viceFile = inHome(`vice-${part}`);
  const vice = existsSync(viceFile) ? readFileSync(viceFile, "utf8") : "";
  writeFileSync(inHome(`env-${part}`), JSON.stringify(process.env));
  if (vice === "refuses") {
    process.stderr.write("The moon is in the wrong place.\n");
    process.exit(2);
  }
  if (vice === "crashes") {
    process.stderr.write("TypeError: oh no\n");
    process.exit(7);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      tell(signal);
      if (vice !== "stubborn") process.exit(0);
    });
  }
  tell("start");
}
