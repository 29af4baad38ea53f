import type { ApiError } from "@lodge/client";
import { t } from "../i18n/t.ts";

/** A refused request in words that help whoever made it. */
export function describeError(error: ApiError): string {
  switch (error.code) {
    case "network":
      return t("error.network");
    case "bad_credentials":
      return t("error.credentials");
    case "unauthenticated":
      return t("error.signedOut");
    case "too_many_requests":
      return t("error.tooMany", Math.ceil((error.retryAfterMs ?? 0) / 1000));
    case "outcome_unknown":
      return t("error.outcomeUnknown");
    case "store_unavailable":
      return t("error.storeUnavailable");
    case "already_resolved":
      return t("error.alreadyResolved");
    case "bad_answer":
      return t("error.badAnswer", error.status);
    case "internal":
      return t("error.internal", error.requestId ?? "");
    default:
      return error.message;
  }
}
