import { stdSerializers } from "pino";
import { expect, it } from "vitest";
import { withoutValues } from "./logger.ts";

it("[H11] what was in a failed statement stays out of the log, where it failed does not", () => {
  const cause = new Error("the database system is starting up");
  const error = new Error("Failed query: select $1\nparams: a5ab72,what Ann wrote\nand more", {
    cause,
  });
  const logged = JSON.stringify(withoutValues(stdSerializers.err(error)));
  expect(logged).not.toContain("a5ab72");
  expect(logged).not.toContain("and more");
  expect(logged).toContain("select $1");
  expect(logged).toContain("starting up");
  expect(logged).toContain("logger.test.ts");
});
