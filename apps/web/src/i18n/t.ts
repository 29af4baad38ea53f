/** A text of the interface by its key. Keys and what they need to be told are checked by the compiler. */
import { en } from "./en.ts";

type Catalogue = typeof en;
export type TextKey = keyof Catalogue;
type Told<K extends TextKey> = Catalogue[K] extends (...told: infer A) => string ? A : [];

export function t<K extends TextKey>(key: K, ...told: Told<K>): string {
  const text: unknown = en[key];
  return typeof text === "function"
    ? (text as (...told: readonly unknown[]) => string)(...told)
    : (text as string);
}
