/**
 * Where this installation lives, from where this script was loaded: `<base>/assets/main.js` when
 * built, `<base>/src/main.tsx` on the development server. "" at the root, else "/lodge".
 */
export function findBasePath(scriptUrl: string): string {
  return new URL("..", scriptUrl).pathname.replace(/\/$/, "");
}
