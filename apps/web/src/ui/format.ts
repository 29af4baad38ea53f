/** Numbers as people read them. */
import { t } from "../i18n/t.ts";

export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return t("format.seconds", seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("format.minutes", minutes, seconds % 60);
  return t("format.hours", Math.floor(minutes / 60), minutes % 60);
}

/** For measured times, where a tenth of a second says something. */
export function formatElapsed(ms: number): string {
  return ms < 10_000 ? t("format.tenths", (ms / 1000).toFixed(1)) : formatDuration(ms);
}

export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function formatCost(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

export const formatTime = (at: number) => time.format(at);
export const formatDayAndTime = (at: number) => dayAndTime.format(at);

/** How long ago, as short as a list can bear. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return t("format.now");
  if (minutes < 60) return t("format.minutesAgo", minutes);
  if (minutes < 24 * 60) return t("format.hoursAgo", Math.floor(minutes / 60));
  return day.format(at);
}

/** The end of a path says the most. */
export function shortenPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length > 3 ? `…/${parts.slice(-2).join("/")}` : path;
}
