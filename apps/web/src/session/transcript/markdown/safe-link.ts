/** Where a link of the model leads; null: not to anything that may be opened from here. */
export type SafeLink = { readonly href: string; readonly host: string };

const OPENED: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

export function readLink(href: string): SafeLink | null {
  let url: URL;
  try {
    url = new URL(href.trim());
  } catch {
    return null;
  }
  if (!OPENED.has(url.protocol)) return null;
  if (url.protocol === "mailto:") return { href: url.href, host: url.pathname };
  // A name before the host only makes it look like another one.
  url.username = "";
  url.password = "";
  return { href: url.href, host: url.host };
}
