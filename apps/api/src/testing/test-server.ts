/** What the global setup tells the tests. */
export type TestServer = { readonly url: string; readonly template: string };

declare module "vitest" {
  interface ProvidedContext {
    /** null: none to be had, as the run's output says; tests that need it are skipped. */
    postgres: TestServer | null;
  }
}
