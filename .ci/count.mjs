/**
 * Prints `N passed, N failed, N skipped` from vitest's own results. A test file that could not even be loaded has no
 * tests to count, and is counted as one failure. Exits non-zero unless something passed and nothing failed.
 */
import { readFileSync } from "node:fs";

let results = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
try {
  results = JSON.parse(readFileSync(process.argv[2], "utf8"));
} catch {
  console.log("vitest left no results");
}
const isUnloadable = ({ status, assertionResults }) =>
  status === "failed" && !assertionResults.some((test) => test.status === "failed");
const passed = results.numPassedTests;
const failed = results.numFailedTests + results.testResults.filter(isUnloadable).length;
const skipped = results.numPendingTests + (results.numTodoTests ?? 0);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
