import type { Effects } from "@lodge/client";

/** The browser as the client package wants it. The only user of `fetch` in the app. */
export function makeBrowserEffects(): Effects {
  return {
    // oxlint-disable-next-line no-restricted-globals -- handed to packages/client, which does the talking
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    newId,
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    isOnline: () => navigator.onLine,
  };
}

/** `crypto.randomUUID` is missing where a page came over plain HTTP from another host. */
function newId(): string {
  const { crypto } = globalThis;
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
