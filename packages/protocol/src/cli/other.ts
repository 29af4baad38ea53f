/** The few message types with little in them. */
import type { EventDraft } from "../event.ts";
import { type Fields, fieldsOf, numberOrNull, textOr, textOrNull, textsOf } from "../fields.ts";
import { cliEvent, cliNotice, type LineContext, type LineEvents, NOTHING } from "./draft.ts";

export function authStatusLine(line: Fields, context: LineContext): LineEvents {
  const isBusy = line["isAuthenticating"] === true;
  const said = [...textsOf(line["output"]), textOr(line["error"], "")]
    .filter((text) => text !== "")
    .join("\n");
  const text = said || (isBusy ? "Signing in." : "Sign-in is not running.");
  return [
    cliNotice(context, "auth", {
      level: textOrNull(line["error"]) === null ? "info" : "error",
      text,
      raw: line,
    }),
  ];
}

export function toolUseSummaryLine(line: Fields, context: LineContext): LineEvents {
  const { summary } = line;
  if (typeof summary !== "string") return null;
  return [cliNotice(context, "tool_summary", { text: summary, raw: line })];
}

/** Moments are in seconds or milliseconds, depending on the version: no second since 1970 is as large as 1e12. */
const momentOf = (value: number | null): number | null =>
  value === null ? null : value < 1e12 ? Math.round(value * 1000) : value;

/** Never seen on the wire, known from the published types: how far a usage limit is used up. */
export function rateLimitLine(line: Fields, context: LineContext): LineEvents {
  const info = fieldsOf(line["rate_limit_info"]);
  const window = textOr(info["rateLimitType"], "");
  const endsAt = momentOf(numberOrNull(info["resetsAt"]));
  switch (info["status"]) {
    case "allowed":
      return NOTHING;
    case "allowed_warning": {
      const used = numberOrNull(info["utilization"]);
      const share = used === null ? "Close to" : `${Math.round(used * 100)} % of`;
      const text = `${share} the usage limit${window === "" ? "" : ` (${window})`}.`;
      return [cliNotice(context, "usage_warning", { level: "warning", text, raw: line })];
    }
    case "rejected": {
      const limit: EventDraft = cliEvent(context, "limit", {
        kind: "usage",
        status: null,
        error: window === "" ? null : window,
        attempt: null,
        maxAttempts: null,
        endsAt,
      });
      return [limit];
    }
    default:
      return null;
  }
}
