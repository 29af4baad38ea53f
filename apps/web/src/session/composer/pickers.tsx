/** How Claude works here: permissions, model, effort. What can be chosen is what the CLI offers. */
import { createSignal, Show } from "solid-js";
import { ApiError } from "@lodge/client";
import {
  EFFORTS,
  type ConfigBody,
  type Effort,
  type ModelOffer,
  type PermissionMode,
} from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { useLodge } from "../../live/lodge-context.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { describeError } from "../../ui/describe-error.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu, type MenuEntry } from "../../ui/menu.tsx";
import { useSessionRoom } from "../session-context.ts";

const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan", "auto", "dontAsk"];
/** What the CLI has always taken, until it says what it offers. */
const ALIASES: readonly ModelOffer[] = ["opus", "sonnet", "haiku"].map((value) => ({
  value,
  displayName: value,
  description: "",
  efforts: [],
}));
/** The CLI's own word for "whichever is best", and ours for "nothing said". */
const NOTHING_SAID = "default";

export function Pickers() {
  const { session } = useSessionRoom();
  const { http, me } = useLodge();
  const [error, setError] = createSignal<ApiError | null>(null);
  const [isAskingBypass, setIsAskingBypass] = createSignal(false);
  const config = () => session.state().config;

  async function configure(body: ConfigBody) {
    setError(null);
    try {
      await http.configure(session.sessionId, body);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    }
  }

  const modes = () => {
    const mayBypass = me().role === "admin" || config().permissionMode === "bypassPermissions";
    return mayBypass ? [...MODES, "bypassPermissions" as const] : MODES;
  };
  const modeEntries = (): readonly MenuEntry[] => [
    {
      kind: "choice",
      label: t("picker.mode"),
      value: config().permissionMode,
      options: modes().map((value) => ({
        value,
        label: t(`mode.${value}`),
        hint: t(`mode.hint.${value}`),
      })),
      onChoose: (mode) => {
        if (mode === "bypassPermissions") setTimeout(() => setIsAskingBypass(true));
        else void configure({ permissionMode: mode as PermissionMode });
      },
    },
  ];

  const offers = () => (session.state().models.length > 0 ? session.state().models : ALIASES);
  const offer = () => offers().find(({ value }) => value === (config().model ?? NOTHING_SAID));
  const modelName = () =>
    offer()?.displayName ?? config().model ?? session.state().servingModel ?? t("model.default");
  const modelEntries = (): readonly MenuEntry[] => {
    const hasDefault = offers().some(({ value }) => value === NOTHING_SAID);
    const own = config().model;
    return [
      {
        kind: "choice",
        label: t("picker.model"),
        value: own ?? NOTHING_SAID,
        options: [
          ...(hasDefault ? [] : [{ value: NOTHING_SAID, label: t("model.default") }]),
          ...offers().map(({ value, displayName, description }) => ({
            value,
            label: displayName,
            hint: description,
          })),
          ...(own === null || offer() !== undefined ? [] : [{ value: own, label: own }]),
        ],
        onChoose: (value) => void configure({ model: value === NOTHING_SAID ? null : value }),
      },
    ];
  };

  const efforts = (): readonly Effort[] => {
    const known = offer()?.efforts ?? [];
    return known.length === 0 ? EFFORTS : EFFORTS.filter((effort) => known.includes(effort));
  };
  const effortEntries = (): readonly MenuEntry[] => [
    {
      kind: "choice",
      label: t("picker.effort"),
      value: config().effort ?? NOTHING_SAID,
      options: [
        { value: NOTHING_SAID, label: t("effort.default") },
        ...efforts().map((value) => ({ value, label: t(`effort.${value}`) })),
      ],
      onChoose: (value) =>
        void configure({ effort: value === NOTHING_SAID ? null : (value as Effort) }),
    },
  ];

  return (
    <div class="pickers" role="group" aria-label={t("picker.all")}>
      <span data-picker="mode">
        <Menu
          label={t("picker.modeNow", t(`mode.${config().permissionMode}`))}
          placement="top-start"
          entries={modeEntries()}
        >
          <Icon name="shield" />
          <span class="picker-text">{t(`mode.${config().permissionMode}`)}</span>
        </Menu>
      </span>
      <Menu
        label={t("picker.modelNow", modelName())}
        placement="top-start"
        entries={modelEntries()}
      >
        <span class="picker-text">{modelName()}</span>
        <Icon name="chevron" />
      </Menu>
      <Menu
        label={t("picker.effortNow", t(`effort.${config().effort ?? NOTHING_SAID}`))}
        placement="top-start"
        entries={effortEntries()}
      >
        <span class="picker-text">
          {config().effort === null
            ? t("picker.effort")
            : t(`effort.${config().effort ?? NOTHING_SAID}`)}
        </span>
        <Icon name="chevron" />
      </Menu>
      <Show when={error()}>
        {(failure) => (
          <span class="form-error" role="alert">
            {describeError(failure())}
          </span>
        )}
      </Show>
      <ConfirmDialog
        isOpen={isAskingBypass()}
        title={t("bypass.title")}
        text={t("bypass.text")}
        confirm={t("bypass.submit")}
        onConfirm={() => http.configure(session.sessionId, { permissionMode: "bypassPermissions" })}
        onClose={() => setIsAskingBypass(false)}
      />
    </div>
  );
}
