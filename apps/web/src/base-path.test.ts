import { expect, test } from "vitest";
import { findBasePath } from "./base-path.ts";

test.each([
  ["https://a.test/assets/index-x.js", ""],
  ["https://a.test/lodge/assets/index-x.js", "/lodge"],
  ["https://a.test/x/y/assets/index-x.js", "/x/y"],
  ["http://localhost:5173/src/main.tsx", ""],
])("%s is below %j", (url, base) => expect(findBasePath(url)).toBe(base));
