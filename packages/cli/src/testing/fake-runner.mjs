/** A double of the runner: it announces itself to the double of the api, and then only lives. */
import { writeFileSync } from "node:fs";
import { inHome, live } from "./fake-part.mjs";

live("runner");
writeFileSync(inHome("runner-is-there"), "");
setInterval(() => undefined, 1_000);
