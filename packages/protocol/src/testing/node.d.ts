/**
 * The little of Node that loading a fixture takes. Declared by hand: Node's own types would bring
 * its globals into every file of this package, which must do without them.
 */
declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function readdirSync(path: string): string[];
}
declare module "node:path" {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
}
declare module "node:url" {
  export function fileURLToPath(url: string): string;
}
interface ImportMeta {
  readonly url: string;
}
