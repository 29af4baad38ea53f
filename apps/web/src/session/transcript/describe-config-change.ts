import type { EventDataByType } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";

/** "Ada set the model to opus, the mode to plan". */
export function describeConfigChange(
  change: EventDataByType["config:changed"],
  who: string,
): string {
  const parts = [
    ...(change.title === undefined ? [] : [t("config.title", change.title)]),
    ...(change.permissionMode === undefined
      ? []
      : [t("config.mode", t(`mode.${change.permissionMode}`))]),
    ...(change.model === undefined ? [] : [t("config.model", change.model ?? t("model.default"))]),
    ...(change.effort === undefined
      ? []
      : [t("config.effort", change.effort ?? t("model.default"))]),
    ...(change.trust === undefined
      ? []
      : [t(change.trust ? "config.trusted" : "config.untrusted")]),
  ];
  return t("config.changed", who, parts.join(", "));
}
