import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";

/** Tests read sources, never `dist`: the "source" condition of each package's exports. */
const source = { conditions: ["source"] };

const patience = { testTimeout: 20_000, hookTimeout: 30_000 };

/** Where CI wants the results as numbers, beside what a person reads. */
const results = process.env["LODGE_TEST_RESULTS"];

export default defineConfig({
  test: {
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    projects: [
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          ...patience,
          name: "node",
          environment: "node",
          include: ["packages/*/src/**/*.test.ts", "tools/src/**/*.test.ts"],
        },
      },
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          ...patience,
          name: "api",
          environment: "node",
          include: ["apps/api/src/**/*.test.ts"],
          // Apart from the others, because only these need a Postgres.
          globalSetup: ["apps/api/src/testing/postgres-global-setup.ts"],
        },
      },
      {
        resolve: source,
        ssr: { resolve: source },
        test: {
          ...patience,
          name: "e2e",
          environment: "node",
          include: ["e2e/src/**/*.test.ts"],
          // Each starts whole systems of processes and measures time: side by side they only disturb each other.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [solid({ hot: false })],
        resolve: { conditions: ["source", "browser", "development"] },
        test: {
          ...patience,
          name: "web",
          environment: "jsdom",
          include: ["apps/web/src/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
